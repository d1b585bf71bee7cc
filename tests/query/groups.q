# Rows put together.
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
