# A heap snapshot of V8, cut in its edges: all objects are there, but neither names nor roots.
# file: tests/fuzz/corpus/v8heap/cut-edges
info | where field ~ /loss|objects|edges/
histogram | head 4 | select name objects shallow
