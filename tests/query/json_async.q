# Trace events of Chrome without calls.
# file: tests/fuzz/corpus/json/async-nest
info | where field !~ /index|loader|sandbox/ and value != 0
async
async_spans
tracks
spans
