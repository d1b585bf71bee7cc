# Weights that do not fit.
# make: foldedmake.py sums
info | where field ~ /repair|total/
calls | select depth method self total
