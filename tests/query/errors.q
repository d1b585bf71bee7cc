# Every mistake of its own, with its place.
threads | format jsn
threads | format json | head
threads | export threads
threads | export
threads | export a.csv b.csv
threads | export /nonexistent/threads.csv
threads | group
threads | group name :
threads | group name : smu cpu
threads | group name : sum
threads | group name : sum(cpu
threads | group name : sum cpu, sum cpu
threads | group name : sum cpu as 1x
threads | sum name
threads | avg id
threads | top 3 -cpu
threads | distinct nmae
threads | parents
methods | select self + calls
methods | select self * self
methods | select name / 2
methods | select id + 1
methods | select self/
methods | select (self
methods | select self)
methods | select slef/total
methods | select 1x
methods | select class as c, name as c
methods | waits
threads | group cpu by
threads | group cpu by 0
threads | group cpu by 100
threads | group cpu by 1k
threads | group name by 10
threads | group (cpu > 1ms) by 10
threads | group (cpu > 1ms
threads | group cpu : p100 cpu
threads | group cpu : p99.9 cpu
threads | group cpu : p99
threads | group cpu : median cpu
threads | group cpu : p50 name
threads | top cpu per
threads | head 3 per
threads | head 3 cpu
spans | split
spans | split 0
spans | split 100
spans | split 1ms 2ms
threads | split 1ms
methods | select share(self) | sort -share(self)
methods | select name share(self)*2
methods | select share(name)
methods | select share()
methods | select share(self per)
methods | select share(self per nosuch)
methods | select share(self x)
methods | select share(self
methods | sort time
methods | sort -slfe_wal
threads | select latest
methods | sort zzz
threads | export ~/x.csv
threads | where wall IN (1 ms, 0 ms) | count
threads | where name = /main/
threads | where name not in (main, /main/)
threads | where name = '/main/' | count
threads | where name ~ /a\/b\/c\/[/
calls | where 5 < depth | count
calls | where 5x < depth | count
# Habits of SQL and jq: the last line says what to write.
sort by self desc
methods | sort by self desc
methods | sort self desc
select * from methods
select name, self from methods where self == 5 and total > 3 order by self desc limit 10
SELECT package, SUM(self) AS s, COUNT(*) FROM methods GROUP BY package ORDER BY s DESC;
select distinct package from methods
select count(*) from methods
methods order by self limit 3
methods | limit 3
methods | group by package
methods | top 3 by self
methods | where name == main && self > 3 || total > 5
methods | where name like "a%" and package like "%b%"
.methods[] | select(.self > 3) | .name, .self
methods | .[] | map(select(.self > 3)) | length
methods | sort_by(-.self) | .[0:3]
methods | group_by(.package) | max_by(.count)
methods | keys
methods | select *
methods | sum(self)
show tables
describe methods
methods;
methods | sort self(
