# One of two queries is about the event that counts, which is said.
# args: -o csv
# make: perfmake.py rare
methods | event faults | count
methods | count
