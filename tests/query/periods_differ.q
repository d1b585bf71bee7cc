# Recordings with other periods are compared by time, not by numbers of samples.
# make: jfrmake.py periods
# args: SRC/demo/shop.jfr.gz
methods | diff | group : sum self_before, sum self_after
methods | where samples > 0 | group : sum samples sum self
