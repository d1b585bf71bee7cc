# The contents of a Perfetto trace that icecore does not show, by kind.
# file: tests/fuzz/corpus/perfetto/unread_more
info | where field ~ /^(unread|loss)/
