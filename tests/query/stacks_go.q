# Two dumps of goroutines; stacks that were cut.
# file: tests/fuzz/corpus/stacks/go
info | where field !~ /index|sandbox/
methods | select name self
