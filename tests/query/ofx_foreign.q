# Transactions of another currency than that of the balance do not show where it began.
# file: tests/fuzz/corpus/ofx/foreign
balance_check | select account transactions sum ledger opening verdict
balance_check | sum ledger
