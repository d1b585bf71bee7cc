# Groups of rows.
records | group action
records | group tid action : count as n, min wall, max(wall)
methods | group class : sum self, avg(total) as mean count | top 3 sum_self
threads | sum cpu calls
threads | min start, name
threads | max start name
calls | avg self depth calls
threads | where id = 99 | sum cpu
threads | where id = 99 | avg cpu
threads | where id = 99 | group name
info | max value
records | distinct tid action | select row tid action
records | select tid action | distinct
methods | top 3 self | select name self
methods | top total | count
methods | top 1000000000000 self | count
spans | p50 wall
spans | p90 wall cpu
spans | p95 wall
spans | p99 wall
spans | p37 depth
calls | group thread: distinct method as methods, share, share calls, first method, last depth
spans | group: count, distinct method
spans | group (wall > 1ms) as slow thread: share
spans | group start_wall by 1ms depth by 4: p99 wall, max(wall)
spans | group (depth > 2 and wall > 1ms)
spans main | split 100us | group start_wall by 1ms: sum wall, sum cpu | head 5
spans | top 2 wall per thread | select thread wall
spans | top wall per thread depth | select thread depth wall | head 5
spans | head per thread | select thread depth wall
methods | select name self share(self) | top 2 self
calls | select thread self share(self per thread) as of_thread | head 3
threads | where id = 99 | select share(cpu)
spans | select share(wall/2) share(cpu per thread, depth) | head 2
# A mean of times is rounded, halves up.
spans | head 2 | select wall + 1ns * depth as t
spans | head 2 | select wall + 1ns * depth as t | avg t
