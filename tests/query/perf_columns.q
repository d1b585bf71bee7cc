# Samples on one line each, with columns before and behind the frame.
# file: tests/fuzz/corpus/perf/columns
events
stacks
info | where field ~ /^(repair|loss)/
