# References of 4 bytes with class pointers of 8: up to JDK 21.
# make: mkheap.py narrow /dev/stdout
info | where field = layout | select value
