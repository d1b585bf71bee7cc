# The replay of uftrace.
# file: tests/fuzz/corpus/sched/uftrace
info | where field ~ /format/
spans | select depth method start_wall wall
