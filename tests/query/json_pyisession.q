# A session of pyinstrument: records with the time since the one before.
# file: tests/fuzz/corpus/json/pyisession
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events
threads
methods
