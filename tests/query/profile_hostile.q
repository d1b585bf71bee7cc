# Names that are not text.
# args: --as folded
# make: foldedmake.py hostile
methods | select name self total kind
calls | where self > 0 | select method kind
