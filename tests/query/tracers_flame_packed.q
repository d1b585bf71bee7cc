# A page of async-profiler.
# file: tests/fuzz/corpus/tracers/flame_packed.html
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method kind self total
