# Samples of stackprof: runs of equal stacks.
# file: tests/fuzz/corpus/json/stackprof
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events
threads
methods
