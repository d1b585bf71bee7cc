# make: schedmake.py - style=odd
# Names that look like payloads, lost and damaged events, marks.
tasks
cpus
switches
wakeups
calls
spans *
states
metrics
threads | select id tid name earlier
tasks | where earlier != '' | select name earlier
info | where field ~ /^(repair|loss|renames|reused|counters|other)/ and value > 0
