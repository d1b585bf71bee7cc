# A profile of pprof: inlined lines, labels that give threads, one place in several stacks.
# make: pprofmake.py recorded
info | where field !~ /index|loader|sandbox/
events
threads
calls
methods
calls | event samples | head 3
