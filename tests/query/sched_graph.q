# Calls that ftrace drew as a graph, without events of the scheduler.
# file: tests/fuzz/corpus/sched/graph
info
