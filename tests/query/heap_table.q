# For people.
# args: -o table
# heap: heap
histogram | head 3 | select name objects shallow
objects com.example.User | head 2 | select id class length shallow retained label
dominators | head 3 | select object class retained percent
threads
info | where field in (objects, live_bytes)
