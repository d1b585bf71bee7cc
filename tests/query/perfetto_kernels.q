# A Perfetto trace of a kernel other than Linux.
# file: tests/fuzz/corpus/perfetto/generic_kernel
switches | select time cpu from state to
wakeups | select time task waker latency
states | select thread start_wall wall state
tasks | select name tid process cpu frequency
processes | select name pid parent cmdline
counters | select counter points max
info | where field ~ /^(loss|repair.machines|unread)/
