# Folded stacks tell apart each thread that has no name of the list.
# args: -o folded --threads DIR/top.txt
# dir: sidemake.py
# open: perf.txt
calls
