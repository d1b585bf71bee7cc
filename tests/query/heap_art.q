# A dump of Android: parts of the heap, sizes that hold.
# heap: art
info | where field !~ /index|dumped|sandbox/
histogram | head 5
objects | group heap : count, sum shallow
roots | group kind : count
threads
loaders
objects com.example.* | select class addr shallow retained heap
