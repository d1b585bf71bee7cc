# Trace events of Chrome that are not calls, and some that are.
# file: tests/fuzz/corpus/json/marks
info | where field !~ /index|loader|sandbox/ and value != 0
async
async_spans
async_spans | range 12us 30us | select name
counters
flows
threads | select name,process
marks
marks | range 11us 13us | select name
tracks | select track process kind points start_wall wall growth max unit
metrics mem.*
metrics "cpu[a].use"
spans @1 | during metrics | where track ~ mem | select track wall value max
