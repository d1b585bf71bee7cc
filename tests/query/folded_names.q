# Names of threads with colons and semicolons, as py-spy writes them.
# file: tests/fuzz/corpus/folded/names
threads | select name, tid, samples
methods | select name, self
