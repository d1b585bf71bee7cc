# Messages that are damaged, among others.
# make: pprofmake.py damaged
info | where field ~ /loss|repair/
calls | count
