# Paths of many objects, merged.
# file: demo/demo.hprof.gz
instances com.example.tickets.Session | merge_paths | select depth field class objects nodes
objects java.lang.String | merge_paths | head 5 | select depth field class objects nodes
objects | merge_paths | select depth field objects percent | tail 2
objects | merge_paths all | tail 1 | select depth field class objects nodes
threads | merge_paths strong | head 2 | select depth field class objects nodes
objects | where id = 0 | merge_paths | count
objects | merge_paths | count
classes | select name | merge_paths
objects | merge_paths weak
objects | merge_paths strong soft
merge_paths
