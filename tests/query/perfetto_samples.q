# Samples of a Perfetto trace with their stacks.
# file: tests/fuzz/corpus/perfetto/perf
info | where field !~ /index|loader|sandbox/
events
calls
