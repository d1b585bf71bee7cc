# Columns with the same name.
# dir: recordsmake.py
# args: -o json --header yes
# open: twice.csv
records
records | where n_2_ > 2 | sum n
