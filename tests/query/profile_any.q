# Stacks that pass through a frame, folded whole, with the kinds of their frames.
# make: foldedmake.py small
# args: -o folded
calls | where any ~ /^Log/
merged | where any ~ /vfs/ | sort -self | head 1
inverted | where any ~ /^write$/
# The same for rows that were selected or sorted before.
calls | where total > 0 | where any ~ /^Log/
calls | sort total | where any !~ /^Log/ | where self > 0 | head 3
merged | sort -self | where self > 0 | where any ~ /vfs/ | head 1
inverted | where depth > 0 | where any ~ /^write$/
