# Not so when another one was asked for.
# args: -o csv --event faults
# make: perfmake.py rare
info | where field ~ /event/
