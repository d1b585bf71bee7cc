# A zip archive with several Perfetto traces opens as if they were concatenated.
# file: tests/fuzz/corpus/zip/perfetto_two
info
spans | select thread method start_wall wall
