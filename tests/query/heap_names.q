# Contents of the heap, by field path.
# heap: heap
names | head 12 | select depth name class count bytes object
names | where depth = 2 | select name class count bytes percent native shallow nested object | top 8 bytes
names | where name = [] | top 3 count | select path class count
names | sum shallow
info | where field = live_bytes
names | where class = com.example.User | select id parent path
names x
names | where depth = 1 | children | top 3 bytes | select id parent name bytes
names | where class = com.example.User | parents | children | count
names | children | count
names | parents | count
names | group class | children
dominators | children
objects | children x
