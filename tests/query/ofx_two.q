# Amounts of several currencies are never added up.
# file: tests/fuzz/corpus/ofx/two_currencies
info | where field ~ /currencies|event/
events
calls
accounts | select account ledger ledger_asof available
balances
balance_check
transactions | group currency : sum amount
transactions | where currency = EUR | group payee : share amount
transactions | select payee share(amount per currency)
transactions | group amount by 0.5 : count
