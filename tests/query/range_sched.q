# make: schedmake.py - seed=4 style=atrace n=900 cpus=3 tasks=9 plain=1
# A piece of time: a row that crosses a border counts with its part inside.
tasks | range 20ms 60ms | select name on off gaps max_gap max_gap_at p50 sleeping preempted delay delays in out
cpus | range 20ms 60ms | select cpu busy idle switches
switches | range 20ms 60ms | head 3 | select time cpu from state to from_process
wakeups | range 20ms 60ms | head 3 | select time task waker target_cpu latency context
switches | range 20ms 30ms | range 40ms 60ms | count
states | range 20ms 60ms | group state : count, sum wall, sum cpu
tracks | range 20ms 60ms | where kind = cpu | head 2 | select track kind thread points max unit
metrics cpu | range 20ms 60ms | head 4 | select track start_wall wall value
tasks | range 0 10ms | range 5ms 20ms | sum on off
tasks | range 5s 6s | head 1 | select name tid cpu off_cpu waits max_wait switches_in
tasks | range 2ms 2ms | sum on off gaps in
tasks | range 2ms
tasks | hide x
cpus | range 10ms 20ms | by package
threads | range 20ms 60ms | select name cpu off_cpu
tasks | waits main
