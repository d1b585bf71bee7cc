# A Perfetto trace: switches, calls of threads with their CPU time, events that are not calls, counters, a line of the log.
# file: tests/fuzz/corpus/perfetto/plain
info | where field !~ /index|loader|sandbox/
threads
tasks
processes
switches
wakeups
spans
async_spans
marks
counters
methods | sort -self
