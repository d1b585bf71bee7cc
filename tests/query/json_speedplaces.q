# The same for speedscope; another line is not another function.
# args: -o csv
# make: jsonmake.py speedplaces
methods
methods | by file
