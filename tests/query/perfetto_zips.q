# A zip archive with several Perfetto traces is refused.
# file: tests/fuzz/corpus/zip/perfetto_two
info
