# A profile of Firefox, two processes: samples, CPU time, categories, markers, counters.
# make: gecko.py demo
info | where field !~ /index|loader|sandbox/ and value != 0
threads | select id tid pid name process samples total start end
events | select name kind samples weight unit current period
methods | select name self total
calls | where thread_id = 1 | select depth method self total thread_id
calls | event cpu | where thread_id = 1 | select depth method samples total
categories | sort -samples | select category subcategory thread samples
async | select name cat count total max process
async_spans | select name thread process cat start_wall wall open detail
marks | select time name thread cat detail
counters | select counter key points min max last unit
tracks | select track kind thread points max unit process
metrics malloc.count | select track start_wall wall value
states | select state start_wall wall
categories | group category : sum samples, sum cpu
