# Thread.dump_to_file as JSON.
# file: tests/fuzz/corpus/stacks/tofile.json
info | where field !~ /index|sandbox/
methods | select name self
