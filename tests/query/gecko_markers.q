# Markers alone.
# file: tests/fuzz/corpus/gecko/only_markers
info | where field !~ /index|loader|sandbox/ and value != 0
async
marks
tracks
