# All forms of headers.
# make: perfmake.py headers
info | where field !~ /index|loader|sandbox/
threads
stacks tid
