# A function graph with all columns, where an event, a loss and an interrupt are between the calls.
# file: tests/fuzz/corpus/sched/graph_options
info | where field ~ /format|repair|loss|unread/ and value > 0
spans | select thread depth method start_wall wall
