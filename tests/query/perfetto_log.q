# Lines of the log in a Perfetto trace.
# file: tests/fuzz/corpus/perfetto/log
info | where field = recorded_at
marks | where cat = log | select time at thread process tag priority name
cpus | select cpu busy idle utilisation
tasks | select name cpu utilisation
