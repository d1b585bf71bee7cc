# Trace events of Chrome with names alone.
# file: tests/fuzz/corpus/json/only-metadata
info
