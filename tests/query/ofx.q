# Bank statements: accounts, transactions, balances; one currency.
# file: tests/fuzz/corpus/ofx/plain
info | where field !~ /index|loader|sandbox/
accounts | select kind id currency ledger transactions state
transactions | select date payee amount memo state
balances | select name amount asof
balance_check | select account transactions sum ledger opening verdict
events | select name kind samples weight unit current
threads | select name samples total
calls | select depth method self total
calls | event transactions | select depth method self total
methods | range 2026-01-03 2026-02 | event 'in EUR' | select name self
transactions | group month currency : sum amount, count, min amount, max amount, avg amount
transactions | where amount < -3.5 | select payee amount
transactions | where amount = -3.50 | count
transactions | where amount = null | select payee type
transactions | sort -amount | head 2 | select amount
transactions | distinct amount | count
transactions | where payee = memo | count
transactions | where payee = (memo) | count
transactions | where payee != (memo) | count
transactions | similar payee 3
