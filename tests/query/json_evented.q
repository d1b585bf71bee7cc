# A speedscope profile of frames that open and close.
# make: jsonmake.py evented
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select tid name calls wall cpu
calls | select depth method calls self_wall total_wall
spans @1 | select depth method start_wall wall
