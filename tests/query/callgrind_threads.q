# A profile of two threads: functions of both are one, and each thread is an event, too.
# file: tests/fuzz/corpus/callgrind/threads
info | where field !~ /index|sandbox/
events | select name total current
methods | select id self total calls name
methods | event 'Ir thread 2' | select id self self_pct total calls name
arcs | event 'Ir thread 1' | select caller callee calls cost
callers run | event 'Ir thread 1' | select caller callee calls cost
lines | event 'Ir thread 2' | select self self_pct total function line file
