# A speedscope profile with weights of several units.
# make: jsonmake.py sampled
info | where field !~ /index|loader|sandbox/ and value != 0
events
threads
calls
methods
