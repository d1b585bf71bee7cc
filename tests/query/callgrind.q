# A call graph with a cycle and two events: functions and arcs with exact costs.
# file: tests/fuzz/corpus/callgrind/cycle
info | where field !~ /index|sandbox/
methods
methods | event Dr | select self self_pct total name
arcs
lines
lines | event Dr | where function_id = 1 | sort -total | select total self line file
callers 'parse(char const*)'
callees @4 | sort -cost
callers mal* main
events
overview | select line value subject
calls
methods | hide main
callers nothing
