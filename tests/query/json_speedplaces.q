# The same of speedscope; a line is no other function.
# args: -o csv
# make: jsonmake.py speedplaces
methods
methods | by file
