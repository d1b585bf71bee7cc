# A spindump of two processes.
# file: tests/fuzz/corpus/tracers/spindump
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
