# Calls without any duration do not hide samples; instants with stacks are samples; without a tid it is the main thread.
# file: tests/fuzz/corpus/json/timeless
overview | select line value share subject
events | select name kind samples weight unit current
calls | format folded
threads | select tid pid name samples
marks | select name thread
