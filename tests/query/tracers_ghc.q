# A report of GHC with ticks and bytes.
# file: tests/fuzz/corpus/tracers/ghc_ticks
info | where field !~ /index|sandbox/
events | select name samples weight unit current
threads | select name tid pid samples total
merged | select depth method kind self total
