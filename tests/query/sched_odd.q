# make: schedmake.py - style=odd
# Names that look like payloads, lost and damaged events, marks.
tasks | select name tid process cpu off_cpu waits max_wait sleeping disk run_queue switches_in former_names
cpus | select cpu busy idle switches unaccounted frequency
switches | select time cpu from state to from_process process
wakeups | select time task waker target_cpu latency context waker_process
calls | select depth method calls self_wall total_wall
spans * | select depth method start_wall wall cpu
states | select thread state start_wall wall cpu class process
metrics | select track thread start_wall wall value process
threads | select id tid name earlier
tasks | where earlier != '' | select name earlier
info | where field ~ /^(repair|loss|renames|reused|counters|other)/ and value > 0
