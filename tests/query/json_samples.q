# Trace events of Chrome with samples alone: chunks out of order, whose parents come later, a step back in time.
# file: tests/fuzz/corpus/json/profile-only
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select tid name samples total
calls | select depth method self total
