# Samples beside the trace events of Chrome: ids as numbers and texts, events by name, weights.
# file: tests/fuzz/corpus/json/stack-frames
events
calls
