# A flame graph of Pyroscope.
# file: tests/fuzz/corpus/tracers/flamebearer.json
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method kind self total
