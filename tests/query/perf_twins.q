# Functions with the same name in two modules stay two, also if two files are compared.
# file: tests/fuzz/corpus/perf/twins
# args: SRC/tests/fuzz/corpus/perf/twins
methods | select name module self total
methods | diff | select name self self_before self_delta
