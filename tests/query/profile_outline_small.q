# The outline.
# make: foldedmake.py small
# args: --text
