# Lists of memleak: the last one counts.
# file: tests/fuzz/corpus/tracers/bcc_memleak
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
