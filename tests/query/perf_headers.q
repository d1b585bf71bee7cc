# All forms of headers.
# make: perfmake.py headers
info | where field !~ /index|loader|sandbox/
threads | select tid name samples total
stacks tid
