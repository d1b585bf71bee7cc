# A call graph with a cycle and two events: functions and arcs with exact costs.
# file: tests/fuzz/corpus/callgrind/cycle
info | where field !~ /index|sandbox/
methods | select self total calls cycle name file object
methods | event Dr | select self self_pct total name
arcs | select caller callee calls cost
lines | select self total line file function
lines | event Dr | where function_id = 1 | sort -total | select total self line file
callers 'parse(char const*)' | select caller callee calls cost
callees @4 | sort -cost | select caller callee calls cost
callers mal* main | select caller callee calls cost
events | select name total current
overview | select line value subject
calls
methods | hide main
callers nothing
