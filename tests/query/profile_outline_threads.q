# The outline.
# make: foldedmake.py threads
# args: --text
