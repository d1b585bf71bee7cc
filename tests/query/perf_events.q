# Several events; the one that was asked for counts.
# make: perfmake.py events
# args: --event instructions -o tsv
events | select name kind samples weight unit current
threads | select tid name samples total
calls | select depth method self total module
stacks
