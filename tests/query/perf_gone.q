# Switches away from tasks that are gone and those without a stack count; lines with a place in the source are not frames.
# make: perfmake.py gone
events
threads
info | where field ~ /^(repair|loss|other)/
calls | event off-cpu
