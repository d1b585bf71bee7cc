# Counters instead of addresses: nothing tells the sizes, and the first screen says so.
# make: mkheap.py agent /dev/stdout
overview | where line = heap | select value subject
info | where field = layout | select value
