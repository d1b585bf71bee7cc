# Trace events of Chrome that are marks alone.
# file: tests/fuzz/corpus/json/instants
info | where field !~ /index|loader|sandbox/ and value != 0
marks | select time name scope thread
async | select name cat count total max
threads | select tid name calls wall cpu
