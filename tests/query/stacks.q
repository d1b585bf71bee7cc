# A stack dump: two threads in a deadlock, which hold a lock each, and one that waits for a lock with an unknown holder.
# file: tests/fuzz/corpus/stacks/hotspot
info | where field !~ /index|sandbox/
thread_dumps
threads | select dump name number tid state raw waits lock holder known holds depth cpu elapsed
blocked
deadlocks
identical_stacks
methods | select name self total
findings
pools
