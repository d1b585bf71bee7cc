# Names that end in numbers are no second count.
# make: foldedmake.py numbers
info | where field ~ /repair/
methods | where name ~ 17
