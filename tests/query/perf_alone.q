# Headers that are names alone.
# make: perfmake.py alone
calls | select thread depth method self
events | select name kind samples weight unit
stacks
