# Trace events, one a line, cut.
# make: jsonmake.py nano
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select tid name calls wall cpu
calls | select depth method calls self_wall total_wall
spans @1 | select depth method start_wall wall
