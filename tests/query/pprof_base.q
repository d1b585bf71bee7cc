# A decrease as -base writes it, a negative value without a label.
# file: tests/fuzz/corpus/pprof/base
info | where field ~ /kind|total|repair/
calls | select depth method self total total_before self_delta total_delta
