# A recording of simpleperf: its own symbols, Java without the frames of the runtime, waits.
# make: simplemake.py recording
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit current
threads | select tid pid name samples total
methods | select name kind module self total
calls | select thread depth method self total kind module
