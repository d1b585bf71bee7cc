# The sources of a heap dump, with their columns.
# heap: heap
histogram | head 5
classes com.example.* | select name loader super objects live shallow retained instance_size
classes /plugin$/i /Us(er|ers)/ | select name
columns classes
objects com.example.User
objects com.example.User | head 1 | select label dominator heap offset
objects 'int[]' | sort -length id | head 3
objects @1 @2
objects | count
objects | group kind : count, sum shallow
objects | group reachable : count
instances java.lang.Thread | select id class kind
strings | sort -length | head 3 | select object length coder array retained
strings | group value : count | top 2 count
roots | group kind : count
roots | where thread = main
threads
threads | select name state daemon top
frames main
frames | group thread : count
locals
locals worker-1 | select frame kind class method
loaders
dominators | head 3
dominators | sum percent
info | where field !~ /index|dumped|sandbox/
