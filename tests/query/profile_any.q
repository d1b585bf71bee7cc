# Stacks that pass through a frame, folded whole, with the kinds of their frames.
# make: foldedmake.py small
# args: -o folded
calls | where any ~ /^Log/
merged | where any ~ /vfs/ | sort -self | head 1
inverted | where any ~ /^write$/
