# Sums have all digits, of amounts that no double holds.
# file: tests/fuzz/corpus/ofx/exact
transactions | select payee amount
transactions | sum amount
balance_check | select account transactions sum ledger opening verdict
