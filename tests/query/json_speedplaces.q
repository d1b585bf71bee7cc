# The same for speedscope; another line is not another function.
# args: -o csv
# make: jsonmake.py speedplaces
methods | select name self total file
methods | by file | select name self total file
