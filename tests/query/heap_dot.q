# Graphs of objects: references, ways from roots, dominators.
# args: -o dot
# heap: heap
refs @4 @5
referrers @4
path @4
paths @40 2
dominated @7
dominators | tail 1
names | head 6
