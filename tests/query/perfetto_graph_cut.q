# A Java heap dump in a Perfetto trace that is cut within it.
# file: tests/fuzz/corpus/perfetto/heap_graph_cut
info
