# A table with columns that are called as those of icecore.
# dir: recordsmake.py
# args: -o json --raw
# open: lines.jsonl
records
records | where line = 7 | select line_ line
records | where line ~ seven and line_ = 2 | count
