# Percentages are numbers.
# dir: recordsmake.py
# args: --path name --weight share
# open: shares.csv
methods | select name self
events
records | where share > 50
