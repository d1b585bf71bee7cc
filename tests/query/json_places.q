# Functions without a name are called by their place; two of one name in two files are two.
# args: -o csv
# make: jsonmake.py places
methods
methods | by file
