# A CPU profile of V8.
# make: jsonmake.py cpu
info | where field !~ /index|loader|sandbox/ and value != 0
events | select name kind samples weight unit no_stack
threads | select tid name samples total
calls | select depth method self total
methods | select name self total file
