# Two profiles one after the other.
# make: pprofmake.py twice
events
