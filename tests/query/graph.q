# A Java heap graph in a Perfetto trace.
# file: tests/fuzz/corpus/perfetto/graph_random
info | where field in (format, dumps, graphs, pid, process, objects, classes, roots, missing, part.app, rss_anon)
classes | where objects > 0 | top 5 shallow | select name objects shallow retained
objects | top 5 retained | select id addr class shallow retained reachable heap
objects | head 3 | refs | select owner name object strength
roots | group kind : count
objects | top 1 retained | path | select class
overview | head 3 | select line value subject
duplicates
strings | head 1
threads | head 1 | select tid name calls wall cpu
growth
