# Folded again: both counts.
# make: foldedmake.py differential
# args: -o folded
calls
inverted
