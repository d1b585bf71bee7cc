# Scheduler text in trace events of Chrome: its switches are tasks and CPUs beside the calls, on their clock.
# file: tests/fuzz/corpus/json/system
info | where field !~ /index|loader|sandbox/ and value != 0
overview
tasks | select tid name cpu off_cpu run_queue sleeping
cpus
switches
wakeups
waits
tracks
spans
