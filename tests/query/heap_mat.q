# Sizes as MAT computes them, all references.
# args: --sizes mat --refs all
# heap: heap
histogram | head 5 | select name objects shallow
info | where field in (refs, sizes, live_objects, live_bytes, unreachable_objects, unreachable_bytes)
classes com.example.* | top 3 retained | select name objects shallow retained
objects | group reachable : count
