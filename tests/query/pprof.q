# A profile of pprof: inlined lines, labels that give threads, one place in several stacks.
# make: pprofmake.py recorded
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit current period
threads | select tid name samples total name_source
calls | select thread depth method self total
methods | select name self total file line
calls | event samples | head 3 | select depth method samples self total
