# The contents of objects, in a few words, and of collections.
# file: demo/demo.hprof.gz
objects com.example.tickets.Session | top 3 retained | select id content
instances java.lang.Class | top 3 retained | select id content
strings | top 2 length | select object content
objects java.lang.Thread | select content
objects byte[] | top 2 shallow | select content
objects java.util.HashMap | top 1 retained | select content
objects | where content = true | select class
dominators | head 3 | select object content
refs @4554 | select name content
objects java.lang.Object[] | top 1 length | select content
objects java.lang.String | head 3 | select content alloc_site
objects com.example.tickets.Session | columns | where name in (content, alloc_site)
collections java.util.HashMap | top 1 size | entries | top 3 retained | select collection index key value key_id value_id value_class key_class retained
collections java.util.HashMap | top 1 size | entries | head 3 | select bucket hash key
entries @4566 | where key ~ s-84 | path | select depth field object class
entries @4554 @4566 @4567 | count
objects int[] | top 1 length | entries | head 3 | select index key value
entries
entries java.lang.String | select index key value
threads | top 1 retained | locals | top 3 retained | select thread class retained
threads | where name = main | frames | select depth method
objects byte[] | head 2 | locals | count
threads | head 1 | frames main
