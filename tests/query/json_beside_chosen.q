# The same as a profile of one of its events.
# args: -o csv --event faults
# file: tests/fuzz/corpus/json/beside
info | where field !~ /index|loader|sandbox/ and value != 0
events | select name kind samples weight unit current
calls | select thread depth method self total
calls | event cpu-samples | where depth = 0 | select depth method samples self total
methods | range 0 150us | select name self total file line
spans @1
