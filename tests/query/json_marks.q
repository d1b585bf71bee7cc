# Trace events of Chrome that are not calls, and some that are.
# file: tests/fuzz/corpus/json/marks
info | where field !~ /index|loader|sandbox/ and value != 0
async | select name cat count total max points open
async_spans | select name cat start_wall wall open key points depth
async_spans | range 12us 30us | select name
counters | select counter key process points min max last unit
flows | select name cat count whole from to start delay from_thread to_thread
threads | select name,process
marks | select time name scope thread
marks | range 11us 13us | select name
tracks | select track process kind points start_wall wall growth max unit
metrics mem.* | select track start_wall wall value
metrics "cpu[a].use" | select track start_wall wall value
spans @1 | during metrics | where track ~ mem | select track wall value max
