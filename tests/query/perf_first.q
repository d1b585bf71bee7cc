# Several events: the first one counts, which is a clock.
# make: perfmake.py events
info | where field !~ /index|loader|sandbox/
events
calls
stacks
