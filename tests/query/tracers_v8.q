# A heap profile of V8.
# file: tests/fuzz/corpus/tracers/v8.heapprofile
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
