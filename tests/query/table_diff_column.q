# A column that only the first file has: the other one is reported.
# dir: recordsmake.py
# args: DIR/before.csv
# open: odd.csv
records | diff id
