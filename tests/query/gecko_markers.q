# Markers alone.
# file: tests/fuzz/corpus/gecko/only_markers
info | where field !~ /index|loader|sandbox/ and value != 0
async | select name cat count total max
marks | select time name scope thread
tracks | select track kind points max unit
