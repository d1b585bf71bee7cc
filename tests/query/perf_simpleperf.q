# The output of report_sample.py of simpleperf.
# make: perfmake.py simpleperf
info | where field !~ /index|loader|sandbox/
events
calls
