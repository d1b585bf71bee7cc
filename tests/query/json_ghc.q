# A profile of GHC in JSON: cost centres with their own ticks and bytes.
# file: tests/fuzz/corpus/json/ghc
info | where field ~ /^(format|unread|recorder|repair.bad|loss)/
events
threads
methods
