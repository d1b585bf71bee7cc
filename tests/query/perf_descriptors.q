# Pictures have names of Java where a perf map has descriptors; queries have the names of the file.
# file: tests/fuzz/corpus/perf/small
methods | select name self | head 3
merged | format dot
