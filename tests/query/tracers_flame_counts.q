# A flame graph of inferno.
# file: tests/fuzz/corpus/tracers/flame_counts.svg
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method kind self total
