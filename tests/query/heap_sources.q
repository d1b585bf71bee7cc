# The sources of a heap dump.
# heap: heap
histogram | head 5 | select name objects shallow
classes com.example.* | select name loader super objects live shallow retained instance_size
classes /plugin$/i /Us(er|ers)/ | select name
columns classes
objects com.example.User | select id class length shallow retained label
objects com.example.User | head 1 | select label dominator heap offset
objects 'int[]' | sort -length id | head 3 | select id class length shallow retained label
objects @1 @2 | select id class length shallow retained label
objects | count
objects | group kind : count, sum shallow
objects | group reachable : count
instances java.lang.Thread | select id class kind
strings | sort -length | head 3 | select object length coder array retained
strings | group value : count | top 2 count
roots | group kind : count
roots | where thread = main | select object kind thread frame class
threads | select name frames locals retained state daemon top
threads | select name state daemon top
frames main | select depth method class line
frames | group thread : count
locals | select thread frame object class kind
locals worker-1 | select frame kind class method
loaders | select class parent classes objects
dominators | head 3 | select object class retained percent
dominators | sum percent
info | where field !~ /index|dumped|sandbox/
