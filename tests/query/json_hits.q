# A CPU profile of V8 without a list of samples.
# make: jsonmake.py hits
events | select name kind samples weight unit
calls | select depth method self total
