# Ticks of node --prof.
# file: tests/fuzz/corpus/json/ticks
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events
threads
methods
