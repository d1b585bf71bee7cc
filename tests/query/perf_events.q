# Several events; the one that was asked for counts.
# make: perfmake.py events
# args: --event instructions -o tsv
events
threads
calls
stacks
