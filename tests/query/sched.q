# make: schedmake.py - seed=4 style=atrace n=900 cpus=3 tasks=9 plain=1
# args: -o table
# Tasks and CPUs, and what else is made of a scheduler trace.
tasks | sort -max_gap | head 5
tasks | sort -delay | select name delay delays max_delay p99_delay earlier | head 3
tasks | where disk > 10ms | select name disk off disk/off as share
cpus
switches | head 3
switches | group state : count | sort -count
wakeups | group task : count | sort -count | head 3
states | group state : sum wall
tracks | group kind : count
calls | sort -total | head 3
threads | top 3 cpu | select name tid cpu off_cpu calls wall
