# References of 8 bytes: since JDK 22 elements begin behind the length.
# make: mkheap.py nocoops_tight /dev/stdout
info | where field = layout | select value
