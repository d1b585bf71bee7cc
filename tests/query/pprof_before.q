# Two weights, as -diff_base writes them.
# make: pprofmake.py before
info | where field ~ /kind|total|repair/
calls
