# The outline.
# make: foldedmake.py slower
# args: --text
