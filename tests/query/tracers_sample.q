# A call tree of sample, with a frame that has less than its callee.
# file: tests/fuzz/corpus/tracers/sample
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
