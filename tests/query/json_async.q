# Trace events of Chrome without calls.
# file: tests/fuzz/corpus/json/async-nest
info | where field !~ /index|loader|sandbox/ and value != 0
async | select name cat count total max points
async_spans | select name cat start_wall wall key points depth
tracks | select track kind points max unit
spans | select depth method start_wall wall
