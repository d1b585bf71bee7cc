# A session of pyinstrument: records with the time since the one before.
# file: tests/fuzz/corpus/json/pyisession
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events | select name kind samples weight unit
threads | select tid name samples total
methods | select name self total file
