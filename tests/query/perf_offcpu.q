# perf record --off-cpu: time off the CPU in nanoseconds, at no time of the recording.
# file: tests/fuzz/corpus/perf/offcpu
# args: --event offcpu-time
events | select name kind samples weight unit current
stacks
info | where field = elapsed
