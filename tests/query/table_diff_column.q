# A column that only the first file has: which one lacks it is told.
# dir: recordsmake.py
# args: DIR/before.csv
# open: odd.csv
records | diff id
