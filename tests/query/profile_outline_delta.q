# The outline does not pick by the delta.
# make: foldedmake.py differential
# args: --text --clock off
