# Counters of GPUs in a Perfetto trace.
# file: tests/fuzz/corpus/perfetto/gpu_counters
info | where field ~ /^(counters|unread|loss)/
counters | select counter process points min max last unit
