# An envelope of Sentry: items that have a profile, and others.
# file: tests/fuzz/corpus/json/envelope
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events | select name kind samples weight unit
threads | select tid name samples total
methods | select name self total
