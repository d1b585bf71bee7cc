# Samples of stackprof: runs of equal stacks.
# file: tests/fuzz/corpus/json/stackprof
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events | select name kind samples weight unit period
threads | select tid name samples total
methods | select name self total file
