# A decrease as -base writes it, a negative value without a label.
# file: tests/fuzz/corpus/pprof/base
info | where field ~ /kind|total|repair/
calls
