# An export of Instruments.
# file: tests/fuzz/corpus/tracers/xctrace.xml
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
calls | range 1ms 3ms | select depth method self total module
calls | state Blocked | where depth = 0 | select method total
