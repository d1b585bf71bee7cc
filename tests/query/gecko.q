# A profile of Firefox, two processes: samples, CPU time, categories, markers, counters.
# make: gecko.py demo
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select id tid pid name process samples total start end
events
methods
calls | where thread_id = 1
calls | event cpu | where thread_id = 1 | select depth method samples total
categories | sort -samples
async
async_spans | select name thread process cat start_wall wall open detail
marks | select time name thread cat detail
counters
tracks
metrics malloc.count
states
categories | group category : sum samples, sum cpu
