# The line of the dumps says the time of one, and both times of several.
# file: demo/hang.log.gz
overview | where line = dumps | select value subject
