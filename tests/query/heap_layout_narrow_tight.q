# References of 4 bytes with class pointers of 8: since JDK 22 elements begin behind the length.
# make: mkheap.py narrow_tight /dev/stdout
info | where field = layout | select value
