# Trace events of Chrome.
# make: jsonmake.py events
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select tid name main calls wall cpu name_source process
calls | select thread depth method calls self_wall total_wall process
spans @1 | select depth method start_wall wall
