# A function trace: counts by caller, or by stack.
# file: tests/fuzz/corpus/sched/functions
info
calls
events
