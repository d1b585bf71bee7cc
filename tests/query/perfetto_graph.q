# A Perfetto trace of Java heap dumps alone is refused.
# file: tests/fuzz/corpus/perfetto/heap_graph_alone
info
