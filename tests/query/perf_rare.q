# The event with more samples counts, though it is not the first.
# args: -o csv
# make: perfmake.py rare
info | where field ~ /event/
