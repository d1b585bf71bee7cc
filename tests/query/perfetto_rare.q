# A Perfetto trace of packets of rare kinds alone.
# file: tests/fuzz/corpus/perfetto/rare
info
