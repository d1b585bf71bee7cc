# A zip archive with one Perfetto trace opens as that trace.
# file: tests/fuzz/corpus/zip/perfetto
info | where field ~ /^(format|encoding|unpacked|loss)/
spans | select thread method start_wall wall
