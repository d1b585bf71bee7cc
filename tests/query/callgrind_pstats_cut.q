# The same without references, truncated.
# file: tests/fuzz/corpus/callgrind/pstats_plain
info | where field ~ /loss|functions|^arcs/ and value != 0
methods | select name self
