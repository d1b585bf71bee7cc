# file: demo/feed.txt.gz
spans main | range 10ms 12ms | head 4 | select depth method start_wall wall cpu
spans main from 11ms | range 10ms 12ms | head 2 | select depth method start_wall wall cpu
spans main | range 10ms 20ms | where depth = 0 | sum wall cpu
calls main | range 10ms 20ms | where depth = 0 | sum total
threads | range 10ms 20ms | select tid name calls wall cpu
metrics | range 10ms 12ms | head 3 | select track start_wall wall value
metrics cpu | range 10ms 12ms | sum delta
tracks | range 10ms 12ms | select track kind thread points max unit
states | range 10ms 12ms | select state start_wall wall cpu class
