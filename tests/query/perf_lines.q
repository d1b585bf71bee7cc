# Samples on one line each.
# make: perfmake.py lines
events
stacks
calls
