# Folded again: decimals stay.
# make: foldedmake.py mixed
# args: -o folded
calls
