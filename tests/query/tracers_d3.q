# A page of perf script report flamegraph.
# file: tests/fuzz/corpus/tracers/d3.html
info | where field !~ /index|sandbox/
events | select name samples weight unit current
merged | select depth method kind self total
