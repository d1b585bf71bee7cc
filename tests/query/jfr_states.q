# A recording of async-profiler: samples of CPU time and of the wall clock, with the states of their threads.
# file: tests/fuzz/corpus/jfr/states.jfr
events | select name kind samples weight unit current period
methods | select name, samples, self
methods | event wall | select name, samples, self
methods | event wall | state SLEEPING | select name, samples, self
methods | event jdk.ExecutionSample | state /DEFAULT/ | count
threads | event wall | state *runnable | select name, samples, total
methods | event wall | range 0ns 5ns | state RUNNABLE | sum samples
methods | state WAITING
methods | state
methods | state DEFAULT | state RUNNABLE
merged | event wall | state "STATE_RUNNABLE" | keep /run/ | select method, self
