# Queries in parentheses over a heap dump.
# file: demo/demo.hprof.gz
objects | where class ~ Session and id not in (roots | select object) | count
objects | where id in (roots | select object) | group class: count | top 3 count
strings | where object in (duplicates strings | head 3 | copies | select id) | group value: count
findings | where object in (roots | select object) | union (findings | head 1) | leaktrace | head 3 | select text depth status why finding
objects java.lang.String | union (objects java.lang.Thread) | where name != null | select class name.value | head 3
classes | union (objects | head 1) | where retained > 1M | count
objects | where class in (roots | select object)
objects | union (strings | select length as class)
