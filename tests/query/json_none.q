# Trace events of Chrome that tell of names alone.
# file: tests/fuzz/corpus/json/only-metadata
info
