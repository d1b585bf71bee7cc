# Names that are not text.
# args: --as folded
# make: foldedmake.py hostile
methods
calls | where self > 0 | select method kind
