# For people.
# args: -o table
# heap: heap
histogram | head 3
objects com.example.User | head 2
dominators | head 3
threads
info | where field in (objects, live_bytes)
