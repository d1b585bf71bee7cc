# Facts about a scheduler trace with lines of many forms.
# make: schedmake.py - style=odd
info
