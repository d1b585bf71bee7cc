# Trace events of Chrome with calls and samples: calls count, the stage event shows the samples, on the clock of the calls; two
# profiles of a thread are two events, samples without a process are of the first thread with that id.
# file: tests/fuzz/corpus/json/beside
info | where field !~ /index|loader|sandbox/ and value != 0
events
threads
methods
calls | range 100us 300us | select depth method calls total_wall
calls | event cpu-samples
calls | event cpu-samples | range 100us 200us
methods | event 'cpu-samples 0x2' | by file
inverted | event cpu-samples | keep f | hide '(root)' | where depth = 0
threads | where name = main | merged | event faults
threads | event faults | where samples > 0 | select id tid pid name samples total
spans @1
spans @1 | event cpu-samples
stacks
methods | event nothing
methods | top 5 samples
