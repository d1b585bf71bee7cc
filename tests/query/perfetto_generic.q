# Kernel events without a kind of their own in a Perfetto trace.
# file: tests/fuzz/corpus/perfetto/generic_events
marks | select thread name time cat
