# The dump comes first.
# dir: recorded.py
# open: rec.jfr
# args: DIR/app.hprof
classes | sort -retained | select name, retained, alloc_bytes, alloc_site | head 6
allocations | top 2 alloc_bytes | select class alloc_bytes site samples
