# No weight is a number: that is said.
# dir: recordsmake.py
# args: --path name --weight note
# open: shares.csv
methods | select name self total
info | where field ~ /^repair/ and value > 0
