# A stack of offwaketime: the target, its stack, and the stack of the waker upside down.
# file: tests/fuzz/corpus/tracers/bcc_offwaketime
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
