# Missing ends, strays, literal ampersands.
# file: tests/fuzz/corpus/ofx/mended
info | where field ~ /repair|loss|version/
transactions
balance_check
