# Another event has far more samples.
# args: -o csv
# make: perfmake.py rare
info | where field ~ /event/
