# A heap snapshot of V8, with a detached part, things that are held weakly, a pair of a WeakMap, a rope.
# file: tests/fuzz/corpus/v8heap/page
info | where field !~ /index|sandbox/
classes | sort -retained | head 12
objects Cache "Session*" "Detached <div>" | select id class kind shallow retained distance detached label
objects | where reachable != strong | select id class reachable distance
refs @11
referrers @11
path @16
path @38
roots
dominators | head 5
strings | where length > 10
duplicates
