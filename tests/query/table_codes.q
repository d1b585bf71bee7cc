# Digits behind a zero are texts, wherever they are asked for.
# dir: recordsmake.py
# open: codes.csv
columns
records | where zip = 01234 | select line zip
records | where zip = 1234 | select line zip
records | where pad > 7 | count
records | where pad > '0007' | count
records | sort -pad zip | select line pad zip
records | max pad, zip
records | sum pad
records | group pad by 10
# Notes: amounts in several currencies, a text that is the name of a column.
records | sum amount
records | where a = b | select a b
records | where a = (b) | select a b
records | where a != (b) | select a b
records | where a in (b, x) | select a b
