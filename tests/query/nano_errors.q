# file: demo/feed.txt.gz
metrics cup
metrics "state"
states nobody
during
methods | during
spans main | during calls metrics
spans main | during heap
spans main min 1h | during | select row thread depth method start_wall wall overlap percent
