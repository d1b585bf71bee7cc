# Reports of hung tasks: a task behind another, and one in the old form.
# file: tests/fuzz/corpus/stacks/kernel
info | where field !~ /index|sandbox/
methods | select name module self
