# Samples on one line each.
# make: perfmake.py lines
events | select name kind samples weight unit
stacks
calls | select thread depth method self total module
