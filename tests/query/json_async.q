# Trace events of Chrome without calls: which there are.
# file: tests/fuzz/corpus/json/async-nest
info
