# The replay of uftrace.
# file: tests/fuzz/corpus/sched/uftrace
info | where field ~ /format/
spans
