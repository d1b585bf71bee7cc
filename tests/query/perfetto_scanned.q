# A scan of processes lists tasks before the kernel tells that they start.
# file: tests/fuzz/corpus/perfetto/scanned
tasks | select name tid process cpu
processes | select name pid uid parent cmdline
