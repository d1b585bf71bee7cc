# Scheduler text in trace events of Chrome: its switches are tasks and CPUs beside the calls, on their clock.
# file: tests/fuzz/corpus/json/system
info | where field !~ /index|loader|sandbox/ and value != 0
overview | select line value share subject use
tasks | select tid name cpu off_cpu run_queue sleeping
cpus | select cpu busy idle switches
switches | select time cpu from state to from_process process
wakeups | select time task waker target_cpu latency context
waits | select thread state start_wall wall waker_or_end
tracks | select track kind thread points max unit
spans | select depth method start_wall wall cpu
