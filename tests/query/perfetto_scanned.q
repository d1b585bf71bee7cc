# A scan of processes lists tasks before the event of their start.
# file: tests/fuzz/corpus/perfetto/scanned
tasks | select name tid process cpu
processes | select name pid uid parent cmdline
