# The contents of a Perfetto trace that icecore does not show, by kind.
# needs: USE_ZSTD
# file: tests/fuzz/corpus/perfetto/unread_more
info | where field ~ /^(unread|loss)/
