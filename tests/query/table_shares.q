# Percentages are numbers.
# dir: recordsmake.py
# args: --path name --weight share
# open: shares.csv
methods | select name self
events | select name kind samples weight unit
records | where share > 50
