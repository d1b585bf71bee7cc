# Calls, async slices and marks by name and args in a Perfetto trace: names before args, any case without capitals.
# file: demo/recipes.pftrace.gz
search monitor | select kind name thread start_wall wall
search /url=.*13/ | select kind name thread start_wall wall detail call_of
search DISKCACHE | count
search diskcache | group kind : count
search image | group kind process : count, sum wall
search "no such name" | count
search recipes | where kind = "process" | select kind name process thread start_wall wall detail
search SERVER | count
search monitor | range 800ms 2s | select name start_wall wall
search monitor | range 300ms 310ms | count
search "JIT compiling" | range 1s 2s | count
search
search a b
