# Cash of an investment account; what is counted only.
# file: tests/fuzz/corpus/ofx/invest
info | where field ~ /investment|positions|securities|repair/
transactions | select date payee amount state
balances | select name amount asof
