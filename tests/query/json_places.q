# Functions without a name are called by their place; two of one name in two files are two.
# args: -o csv
# make: jsonmake.py places
methods | select name self total file line
methods | by file | select name self total file
