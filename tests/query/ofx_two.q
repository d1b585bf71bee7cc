# Amounts of several currencies are never added up.
# file: tests/fuzz/corpus/ofx/two_currencies
info | where field ~ /currencies|event/
events | select name kind samples weight unit current
calls | select thread depth method self total
accounts | select account ledger ledger_asof available
balances | select name amount asof
balance_check | select account transactions sum ledger opening verdict
transactions | group currency : sum amount
transactions | where currency = EUR | group payee : share amount
transactions | select payee share(amount per currency)
transactions | group amount by 0.5 : count
