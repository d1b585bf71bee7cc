# A stack dump whose lines have a prefix, one name with a line end, and an exception in between.
# file: tests/fuzz/corpus/stacks/wrapped
info | where field !~ /index|sandbox/
methods | select name self
