# Names that end in numbers are not a second count.
# make: foldedmake.py numbers
info | where field ~ /repair/
methods | where name ~ 17 | select name self total
