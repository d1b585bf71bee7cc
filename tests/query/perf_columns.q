# Samples on one line each, with columns before and behind the frame.
# file: tests/fuzz/corpus/perf/columns
events | select name kind samples weight unit current no_stack
stacks
info | where field ~ /^(repair|loss)/
