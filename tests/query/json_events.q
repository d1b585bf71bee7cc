# Trace events of Chrome.
# make: jsonmake.py events
info | where field !~ /index|loader|sandbox/ and value != 0
threads
calls
spans @1
