# Output of profile of BCC, which lost stacks and is cut.
# file: tests/fuzz/corpus/tracers/bcc_profile
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
