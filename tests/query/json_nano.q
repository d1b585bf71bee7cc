# Trace events, one a line, cut.
# make: jsonmake.py nano
info | where field !~ /index|loader|sandbox/ and value != 0
threads
calls
spans @1
