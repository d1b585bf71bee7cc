# Snapshots of massif: the peak is shown.
# file: tests/fuzz/corpus/tracers/massif
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
tracks | select kind track points max
metrics "heap used" | select start_wall wall value
