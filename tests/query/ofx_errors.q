# Queries that amounts do not support.
# file: tests/fuzz/corpus/ofx/two_currencies
transactions | sum amount
transactions | group payee : max amount
transactions | select amount * 2
transactions | where amount > x
transactions | where abs(amount) > 50
calls | range 2026-13 2026-14
calls | range 2026-02-29 2026-03
calls | range 2024-02-29 2024-02-29 | count
accounts EUR
transactions | group currency : share amount
transactions | select payee share(amount)
transactions | select payee share(amount per payee)
