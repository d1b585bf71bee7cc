# What fills the heap, by field path.
# heap: heap
names | head 12
names | where depth = 2 | select name class count bytes percent native shallow nested object | top 8 bytes
names | where name = [] | top 3 count | select path class count
names | sum shallow
info | where field = live_bytes
names | where class = com.example.User | select id parent path
names x
