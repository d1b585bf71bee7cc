# Ticks of node --prof.
# file: tests/fuzz/corpus/json/ticks
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events | select name kind samples weight unit
threads | select tid name samples total
methods | select name self total
