# A heap dump with a recording: who made the objects that fill the heap.  The recording comes first, but the dump is opened.
# dir: recorded.py
# open: app.hprof
# args: DIR/rec.jfr
classes | sort -retained | select name, retained, alloc_bytes, alloc_site | head 6
classes org.shop.* | select name alloc_bytes alloc_rate alloc_samples old_objects old_site loader
classes java.lang.String | select name objects alloc_bytes alloc_rate alloc_site old_objects
columns classes | where name ~ alloc
allocations | select class alloc_bytes site samples
allocations org.shop.Page 'byte[]' org.shop.plugin.Plugin | select class site alloc_bytes live_bytes id
allocations | where class ~ Temp | select class id
allocations org.shop.Nothing
info | where field ~ recording
findings | select kind content made_at
overview | where line ~ alloc | select line value subject
help allocations
events
