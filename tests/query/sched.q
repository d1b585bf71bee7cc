# make: schedmake.py - seed=4 style=atrace n=900 cpus=3 tasks=9 plain=1
# args: -o table
# Tasks and CPUs, and other sources of a scheduler trace.
tasks | sort -max_gap | head 5 | select name tid process cpu off_cpu waits max_wait sleeping disk preempted run_queue switches_in
tasks | sort -delay | select name delay delays max_delay p99_delay earlier | head 3
tasks | where disk > 10ms | select name disk off disk/off as share
cpus | select cpu busy idle switches
switches | head 3 | select time cpu from state to from_process
switches | group state : count | sort -count
wakeups | group task : count | sort -count | head 3
wakeups | where context = irq | group waker : count, sum latency
wakeups | group task waker : count, max latency | top 3 max_latency
states | group state : sum wall
waits | where not idle | top 3 wall | select thread state wall waiting_in waker waker_or_end context
waits | group state : count, sum wall
tasks | top 1 delay | waits | where state = runnable | top 2 wall | select thread state start_wall wall waker_or_end
threads | head 1 | waits | count
tracks | group kind : count
calls | sort -total | head 3 | select depth method calls self_wall total_wall
threads | top 3 cpu | select name tid cpu off_cpu calls wall
