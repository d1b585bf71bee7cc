# A Perfetto trace whose packets are compressed by zstd.
# needs: USE_ZSTD
# file: tests/fuzz/corpus/perfetto/zstd
calls | select method total
