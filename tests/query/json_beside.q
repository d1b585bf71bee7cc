# Trace events of Chrome with calls and samples: calls count, the stage event shows the samples, on the clock of the calls; two
# profiles of a thread are two events, samples without a process are of the first thread with that id.
# file: tests/fuzz/corpus/json/beside
info | where field !~ /index|loader|sandbox/ and value != 0
events | select name kind samples weight unit
threads | select tid name main calls wall cpu name_source process idle
methods | select method file line calls self_wall total_wall sampled
calls | range 100us 300us | select depth method calls total_wall
calls | event cpu-samples | select depth method samples self total
calls | event cpu-samples | range 100us 200us | select depth method samples self total
methods | event 'cpu-samples 0x2' | by file | select name self total file
inverted | event cpu-samples | keep f | hide '(root)' | where depth = 0 | select depth method samples self total
threads | where name = main | merged | event faults | select depth method self total
threads | event faults | where samples > 0 | select id tid pid name samples total
spans @1 | select depth method start_wall wall start_cpu cpu
spans @1 | event cpu-samples
stacks
methods | event nothing
methods | top 5 samples
