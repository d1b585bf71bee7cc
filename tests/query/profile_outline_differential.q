# The outline.
# make: foldedmake.py differential
# args: --text
