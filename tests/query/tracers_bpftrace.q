# Maps of bpftrace: several events, keys with plain parts, and data without stacks.
# file: tests/fuzz/corpus/tracers/bpftrace
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
