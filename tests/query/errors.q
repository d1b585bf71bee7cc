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
