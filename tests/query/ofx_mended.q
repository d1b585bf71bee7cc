# Missing ends, strays, literal ampersands.
# file: tests/fuzz/corpus/ofx/mended
info | where field ~ /repair|loss|version/
transactions | select date payee amount state
balance_check | select account transactions sum ledger opening verdict
