# Histograms of runqlat: of a process, of a thread, and of all over midnight.
# file: tests/fuzz/corpus/tracers/bcc_runqlat
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
tracks | select track thread points start_wall wall
metrics maximum | select start_wall wall value
threads | range 5s 11s | select name samples total
