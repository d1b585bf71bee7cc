# Names that are no text.
# make: foldedmake.py hostile
methods
calls | where self > 0 | select method kind
