# file: demo/feed.txt.gz
spans main | range 10ms 12ms | head 4
spans main from 11ms | range 10ms 12ms | head 2
spans main | range 10ms 20ms | where depth = 0 | sum wall cpu
calls main | range 10ms 20ms | where depth = 0 | sum total
threads | range 10ms 20ms
metrics | range 10ms 12ms | head 3
metrics cpu | range 10ms 12ms | sum delta
tracks | range 10ms 12ms
states | range 10ms 12ms
