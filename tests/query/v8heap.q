# A heap snapshot of V8, with a detached part, things that are held weakly, a pair of a WeakMap, a rope.
# file: tests/fuzz/corpus/v8heap/page
info | where field !~ /index|sandbox/
classes | sort -retained | head 12 | select name objects shallow retained distance place
objects Cache "Session*" "Detached <div>" | select id class kind shallow retained distance detached label
objects | where reachable != strong | select id class reachable distance
refs @11 | select name object class retained strength value owner
referrers @11 | select name object class retained strength target
path @16 | select depth field object class
path @38 | select depth field object class
roots | select object kind class
dominators | head 5 | select object class retained percent
strings | where length > 10 | select object value length copies waste
duplicates | select kind value length copies arrays waste
