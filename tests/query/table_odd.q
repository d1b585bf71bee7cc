# Records that are too short, and one that is too long.
# dir: recordsmake.py
# open: odd.csv
records
info | where field ~ /^loss/
