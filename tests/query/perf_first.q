# Several events: the first one counts, which is a clock.
# make: perfmake.py events
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit current
calls | select thread depth method self total module
stacks
