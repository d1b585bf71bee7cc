# With all callers in the names of functions a call graph is a tree, and so it is also a profile.
# file: tests/fuzz/corpus/callgrind/tree
info | where field !~ /index|sandbox/
calls | select depth method self total
calls | event Dr | select depth method self total
methods | select name self total samples module file
callers fib | select depth method self total module
events | select name samples weight unit current
arcs | select caller callee calls cost
arcs | event Dr | select caller callee calls cost
lines | event Dr | sum self
calls | keep small | select method total
calls | format folded
