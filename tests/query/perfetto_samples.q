# Samples of a Perfetto trace with their stacks.
# file: tests/fuzz/corpus/perfetto/perf
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit
calls | select thread depth method calls self_wall total_wall
