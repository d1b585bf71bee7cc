# What report_sample.py of simpleperf writes.
# make: perfmake.py simpleperf
info | where field !~ /index|loader|sandbox/
events
calls
