# OFX 2: entities, CDATA, comments, pending transactions.
# file: tests/fuzz/corpus/ofx/xml
info | where field ~ /version|pending|unknown|repair/
transactions | select date payee amount state
calls | select depth method self total
