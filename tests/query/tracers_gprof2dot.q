# Stacks of gprof2dot, the innermost function first; one of them names a function that is not there.
# file: tests/fuzz/corpus/tracers/gprof2dot.json
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method self total
