# A file of cProfile: a dict in marshal format with references. One function calls itself, one has calls from outside.
# file: tests/fuzz/corpus/callgrind/pstats
info | where field !~ /index|loader|sandbox/ and value != 0
overview | select line value share subject
methods | select self total calls name file
arcs | select caller callee calls cost
