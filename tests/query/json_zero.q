# Trace events of Chrome: a thread 0, times since 1970, a call that nobody ended.
# make: jsonmake.py zero
threads
spans @1
info | where field ~ /no_end|repair.open|records/
