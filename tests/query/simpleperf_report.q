# A report of simpleperf: execution types, waits, lost samples.
# make: simplemake.py report
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit current
threads | select tid pid name samples total
methods | select name kind module self total
calls | event off-cpu | select thread depth method self total kind module
