# What is always behind the objects of a class may be dead, and is no part of them; to Module all VMs add a pointer.
# make: mkheap.py slack /dev/stdout
classes | where name ~ /Lease|Module/ | select name objects shallow
