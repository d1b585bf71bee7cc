# A Perfetto trace: switches, calls of threads with their CPU time, events that are not calls, counters, a line of the log.
# file: tests/fuzz/corpus/perfetto/plain
info | where field !~ /index|loader|sandbox/
threads | select tid name calls wall cpu process
tasks | select name tid process cpu off_cpu waits max_wait sleeping run_queue switches_in
processes | select name pid threads cpu uid parent cmdline
switches | select time cpu from state to from_process process
wakeups | select time task waker target_cpu latency context
spans | select thread depth method start_wall wall cpu
async_spans | select name cat start_wall wall depth
marks | select time name scope thread cat at
counters | select counter process points min max last unit
methods | sort -self | select method calls self_wall total_wall
