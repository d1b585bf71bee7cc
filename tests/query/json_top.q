# Samples beside the trace events of Chrome: ids as numbers and texts, events by name, weights.
# file: tests/fuzz/corpus/json/stack-frames
events | select name kind samples weight unit
calls | select thread depth method self total
