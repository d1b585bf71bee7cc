# A thread that waits for a lock does not hold it, although an outer frame says so.
# file: tests/fuzz/corpus/stacks/hotspot_waits
blocked | select depth thread how lock
locks | select lock class waiters holder
deadlocks | count
