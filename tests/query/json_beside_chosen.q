# The same as a profile of one of its events.
# args: -o csv --event faults
# file: tests/fuzz/corpus/json/beside
info | where field !~ /index|loader|sandbox/ and value != 0
events
calls
calls | event cpu-samples | where depth = 0
methods | range 0 150us
spans @1
