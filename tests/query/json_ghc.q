# A profile of GHC in JSON: cost centres with their own ticks and bytes.
# file: tests/fuzz/corpus/json/ghc
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events | select name kind samples weight unit current
threads | select tid name samples total
methods | select name self total file line
