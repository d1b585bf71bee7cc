# A flame graph by pixels.
# file: tests/fuzz/corpus/tracers/flame_pixels.svg
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method kind self total
