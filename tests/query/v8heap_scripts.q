# Functions of V8 by their scripts: those of a library by its folder, the innermost one.
# file: tests/fuzz/corpus/v8heap/scripts
names | where depth = 2 | select class count bytes
