# Queries in parentheses.
threads | where id in (spans | where depth > 3 | select thread_id) | select name
threads | where name not in (spans | where depth > 3 | select thread) | select name
spans main | where method in (methods | top 2 self | select method) | group method: count
calls | where id in (calls | where method in (methods | top 1 calls | select method) | select id) | count
methods | where (class in (classes | select class) and self > 1) or id in (methods | head 1 | select id) | count
methods | hide /./ | where method in (methods | top 3 self | select method) | count
spans main | range 0 1ms | where method in (methods | top 1 total | select method) | count
spans main | group (method in (methods | top 2 self | select method)) as top: count
methods | where name not in (methods | where id = 99 | select name) | count
threads | where id in (threads | where wall > 16 | select id) | count
methods | top 2 self | select method self | union (methods | top 2 calls | select method calls)
threads | select name | union (threads | where id = 1 | select name tid pid) | columns
threads | union (threads | head 1) | count
threads | union (threads | union (threads)) | distinct name | count
methods | where id in (threads | select name)
methods | where id in (threads)
methods | where id in (threads | head 1)
methods | where id in (select id from methods)
methods | where id in (methods | select id
methods | where id in (methods | selct id)
methods | where id in ()
calls | where calls > (calls | max calls)
calls | where (calls > 1 and (name in (methods | select name) or (calls | head 1)))
calls | where (calls > 1 | head 1
methods | where id in (methods | export x)
methods | union
methods | union methods
methods | union ()
methods | union (methods) x
methods | union (methods | select self as method)
methods | union (methods | diff)
methods | union (methods | top 1 self
methods | union (methods | where id in (classes | select id))
union (methods)
