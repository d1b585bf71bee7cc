# Names of threads with the brackets that are around them.
# file: tests/fuzz/corpus/stacks/faulthandler_names
threads | select name depth top
