# Up to version 2.9 of async-profiler the settings say what was sampled.
# file: tests/fuzz/corpus/jfr/wall.jfr
events | select name kind samples weight unit period
info | where field ~ setting
methods | event jdk.ExecutionSample | state SLEEPING | sum samples
