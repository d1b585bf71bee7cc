# Thread.dump_to_file: a name without a class is a frame behind "at " only, also when it was one before.
# file: tests/fuzz/corpus/stacks/tofile_bare
threads | select name depth
