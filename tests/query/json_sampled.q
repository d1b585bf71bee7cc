# A speedscope profile with weights of several units.
# make: jsonmake.py sampled
info | where field !~ /index|loader|sandbox/ and value != 0
events | select name kind samples weight unit no_stack
threads | select tid name samples total
calls | select thread depth method self total
methods | select name self total file
