# Graphs of calls: boxes as nodes, what is called behind the caller.
# args: -o dot --clock wall
calls main | head 8
merged | where total > 1ms
threads
methods
