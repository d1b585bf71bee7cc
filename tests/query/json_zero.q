# Trace events of Chrome: a thread 0, times since 1970, a call that nobody ended.
# make: jsonmake.py zero
threads | select tid name calls wall cpu
spans @1 | select depth method start_wall wall
info | where field ~ /no_end|repair.open|records/
