# A column of numbers with a word among the first records, and one of words with some numbers.
# dir: recordsmake.py
# open: measured.csv
records | where ms > 200 | count
records | where ms ~ n | select line ms
records | sum ms
