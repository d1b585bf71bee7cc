# A tree of frames of pyinstrument: the time that its children lack is that of a frame.
# file: tests/fuzz/corpus/json/pyinstrument
overview | select line value share subject
calls | format folded
info | where field ~ /repair|format/ and value != 0
