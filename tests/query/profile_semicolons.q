# Names of threads with semicolons in them.
# args: -o csv
# make: foldedmake.py semicolons
threads | select tid name total
merged | select method self total
