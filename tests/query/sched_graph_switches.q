# A function graph whose first calls began before it, and whose tasks are named by switches.
# file: tests/fuzz/corpus/sched/graph_switches
info | where field ~ /format|repair|unread/ and value > 0
spans | select thread depth method start_wall wall
