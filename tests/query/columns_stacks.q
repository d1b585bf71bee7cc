# The golden answers that show all columns of a source: thread dumps.  Others select those that they are about.
# file: demo/hang.log.gz
blocked | head 2
deadlocks | head 2
findings | head 2
identical_stacks | head 2
locks | head 2
pools | head 2
thread_changes | head 2
thread_dumps | head 2
threads | head 2
stack 5 | head 2
