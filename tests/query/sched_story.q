# file: demo/sched.txt.gz
# args: -o table
# The story of the demo: main waits for a lock, whose owner waits for the disk and for a CPU that busy tasks have.
tasks | sort -on | select name util delay disk max_gap | head 9
waits main | top 6 wall | select state wall waiting_in waker_or_end context
waits Worker | group state waiting_in waker : count, sum wall | sort -sum_wall
waits | where not idle | top 1 wall | blame | group thread state depth : count, sum wall | sort -sum_wall
blame Worker from 1.04s to 1.08s | select start_wall wall thread state depth wakes running_in woken_by
blame nobody
presets | where preset = contention | select preset title fits
wakeups | where task = main | group waker context : count, max latency
waits | where idle | group thread : count
tasks | range 200ms 400ms | where util > 50 | select name util
