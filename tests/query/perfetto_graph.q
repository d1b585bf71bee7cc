# A Perfetto trace of Java heap dumps alone.
# file: tests/fuzz/corpus/perfetto/heap_graph_alone
info
