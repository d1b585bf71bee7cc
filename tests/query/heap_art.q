# A dump of Android: parts of the heap, sizes that hold.
# heap: art
info | where field !~ /index|dumped|sandbox/
histogram | head 5 | select name objects shallow
objects | group heap : count, sum shallow
roots | group kind : count
threads | select name frames locals retained daemon
loaders | select class parent classes objects
objects com.example.* | select class addr shallow retained heap
