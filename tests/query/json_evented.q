# A speedscope profile of frames that open and close.
# make: jsonmake.py evented
info | where field !~ /index|loader|sandbox/ and value != 0
threads
calls
spans @1
