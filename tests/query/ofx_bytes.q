# Windows-1252.
# file: tests/fuzz/corpus/ofx/bytes
info | where field ~ /single/
transactions | select payee amount
