# A CPU profile of V8.
# make: jsonmake.py cpu
info | where field !~ /index|loader|sandbox/ and value != 0
events
threads
calls
methods
