# Two statements that overlap: a transaction of both is counted twice, and that is reported; another amount of one id is not.
# file: tests/fuzz/corpus/ofx/again
info | where field ~ /^repair/ and value > 0
transactions | select date amount fitid
