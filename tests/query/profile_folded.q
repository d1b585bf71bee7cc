# Folded again: as it was read, threads in front.
# make: foldedmake.py threads
# args: -o folded
calls
merged
inverted | where depth < 9
calls 101
