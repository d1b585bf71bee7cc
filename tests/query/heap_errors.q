# Queries that are wrong, or for other files than heap dumps.
# heap: heap
methods
objects | callers
threads | where wall > 1ms
threads | where frames > 3 | count
methods | retained
classes com.example.Sesion
instances
instances @1 | select id class kind length shallow retained
superclasses
dominator all
retained
retained, com.example.User
objects @0
objects @100000
objects 0x10
objects @12 com.example.User
objects ~
dominators com.example.User
dominators @1 @2
dominator com.example.User al
frames mian
histogram com.example.User
info | retained
objects | where addr = @1
objects | sum addr
objects | where addr = 1k
classes /(/
help calls | head 2
columns threads | head 3
objects java.lang.Class | select .closd
bitmaps | export pictures
