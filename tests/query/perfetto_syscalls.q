# Calls of the kernel in a Perfetto trace.
# file: tests/fuzz/corpus/perfetto/syscalls
info | where field ~ /^(unread|loss)/
spans 300 | select thread method start_wall wall
