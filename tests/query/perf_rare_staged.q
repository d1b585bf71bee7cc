# A query that names its event is about that one: nothing else is said.
# args: -o csv
# make: perfmake.py rare
methods | event faults | count
merged | event cpu-clock | count
