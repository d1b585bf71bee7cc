# A stack dump: two threads in a deadlock, which hold a lock each, and one that waits for a lock with an unknown holder.
# file: tests/fuzz/corpus/stacks/hotspot
info | where field !~ /index|sandbox/
thread_dumps | select dump time kind threads blocked deadlocks program
threads | select dump name number tid state raw waits lock holder known holds depth cpu elapsed
blocked | select dump depth waiters thread state waits_for
deadlocks | select dump deadlock thread waits_for holder lock
identical_stacks | select dump threads states doing names
methods | select name self total
findings | select dump severity kind what thread doing
pools | select dump pool threads idle states
