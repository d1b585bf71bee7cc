# With the clock of what was before, self and total are those.
# make: foldedmake.py differential
# args: --clock cpu
methods | top 3 self | select name self
calls | where depth = 0 | select method total
