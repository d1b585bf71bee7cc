# Ids without names.
# args: -o csv
# make: perfmake.py nameless
threads | select tid pid name samples total
merged | select method self total
info | where field ~ /repair/
