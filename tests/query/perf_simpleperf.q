# The output of report_sample.py of simpleperf.
# make: perfmake.py simpleperf
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit
calls | select depth method self total module
