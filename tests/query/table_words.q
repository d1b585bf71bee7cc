# The same: dropped values are reported once per column.
# dir: recordsmake.py
# open: measured.csv
records | group ms by 200 : sum ms, avg ms, sum word, share word
records | where word = 5 or word ~ 10 | select word | head 3
