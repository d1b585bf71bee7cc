# The facts about the file are those of the event that counts.
# make: perfmake.py events
# args: --event instructions:u
info | where field in (event, samples, total, stacks, max_depth)
