# Tasks of sched_debug: names with blanks, which are columns.
# file: tests/fuzz/corpus/tracers/sched_debug
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
