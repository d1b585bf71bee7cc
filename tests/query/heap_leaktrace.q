# Leak traces: lines for people, hops for machines.
# heap: art
objects com.example.MainActivity | leaktrace | select text
objects com.example.MainActivity | leaktrace | where line = hop | select text line depth status why retained
leaktrace com.example.MainActivity | where suspect | select line depth field
leaktrace @5 | select text line
leaktrace @5 | where line = hop | path | count
threads | leaktrace | where line = head | select text of
objects | where reachable = unreachable | head 1 | leaktrace | select text depth status why
objects | leaktrace | group line : count
leaktrace
leaktrace @0
classes | count | leaktrace
findings | leaktrace strong
