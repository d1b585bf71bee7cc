# A full buffer: events were lost while recording, as those that perf and ftrace report.
# file: tests/fuzz/corpus/trace/overflow
info | where field ~ /loss|records/ | select field value meaning
