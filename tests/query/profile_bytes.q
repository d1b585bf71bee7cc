# Weights that are bytes.
# make: foldedmake.py bytes
# args: -o table
methods | where self >= 1k | select name self total
