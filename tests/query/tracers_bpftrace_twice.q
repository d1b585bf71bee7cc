# Maps that were printed twice: one only grows, the other was cleared.
# file: tests/fuzz/corpus/tracers/bpftrace_twice
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
