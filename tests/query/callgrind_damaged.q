# Damaged lines are counted, the others read.
# file: tests/fuzz/corpus/callgrind/damaged
info | where field !~ /index|sandbox/
methods | select self total calls cycle name
arcs | select caller callee calls cost
