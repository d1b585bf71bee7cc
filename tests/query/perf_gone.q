# Switches away from tasks that are gone and those without a stack count; lines with a place in the source are not frames.
# make: perfmake.py gone
events | select name kind samples weight unit current no_stack
threads | select tid name samples total
info | where field ~ /^(repair|loss|other)/
calls | event off-cpu | select depth method self total kind module
