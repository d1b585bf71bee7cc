# A function trace: counts by caller, or by stack.
# file: tests/fuzz/corpus/sched/functions
info
calls | select thread depth method self total kind
events | select name kind samples weight unit
