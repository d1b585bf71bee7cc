# A kernel trace whose lines have no form that is read.
# make: schedmake.py - style=raw
info
