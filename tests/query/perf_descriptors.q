# Java has one spelling where a perf map has descriptors, in queries and in pictures.
# file: tests/fuzz/corpus/perf/small
methods | select name self | head 3
merged | format dot
