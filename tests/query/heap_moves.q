# From rows of objects to other objects.
# heap: heap
superclasses com.example.Derived | select name
subclasses com.example.Base | select name
subclasses java.lang.Object | count
classes com.example.Derived | superclasses | select name
threads | superclasses | select name
classes com.example.Session | instances | count
histogram | head 2 | instances | group class : count
classes com.example.Cache | dominated | select class retained
dominators | head 1 | dominated | select class shallow retained
dominators | head 1 | retained | sum shallow
dominators | head 1 | select retained
retained com.example.Session | group class : count, sum shallow
retained com.example.Session | where id = 1 | count
objects com.example.Session | top 1 retained | dominator all | select class retained
dominator com.example.Session | count
dominator com.example.Session all | group class : count
classes com.example.Session | dominator | select label
# Each object once, whatever its holder is asked for as well.
objects com.example.Session | dominator all | retained | count
objects com.example.Session | dominator all | dominated | count
objects | where reachable = unreachable | retained | count
objects | where reachable = unreachable | dominator | count
