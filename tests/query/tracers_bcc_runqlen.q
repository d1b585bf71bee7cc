# Histograms of runqlen by CPU, and the occupancy of the queues.
# file: tests/fuzz/corpus/tracers/bcc_runqlen
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
