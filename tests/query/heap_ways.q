# From an object outwards: who refers to it, the ways from roots, its bytes in the file.
# heap: heap
referrers @434 | select name object class retained strength target
objects com.example.Session | head 1 | referrers | select name object class retained strength target
paths @313 | select path depth field object class target
objects com.example.Session | head 2 | paths | group path : count
chains @313
objects com.example.Session | head 2 | chains 1
objects com.example.Session | head 1 | select dominator | chains
objects | select class | chains
objects | chains 0
raw @313 | head 6 | select offset field type value
objects com.example.Session com.example.Session | count
objects | head 1 | export! nowhere/objects.tsv
