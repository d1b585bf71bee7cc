# Not so when it counts itself.
# args: -o csv --event cpu-clock
# make: perfmake.py rare
info | where field ~ /event/
