# A recording of record offcpu: threads by name, and two waits that found no room in the table.
# file: tests/fuzz/corpus/tracers/bpftrace_offcpu
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
