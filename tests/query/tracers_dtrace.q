# Aggregations of DTrace, with a distribution, a value without a stack, and an end that is cut.
# file: tests/fuzz/corpus/tracers/dtrace
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
