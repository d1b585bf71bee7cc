# A Perfetto trace whose packets are packed by zstd is refused.
# file: tests/fuzz/corpus/perfetto/zstd
info
