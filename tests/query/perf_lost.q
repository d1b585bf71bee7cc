# Events that perf reports as lost.
# make: perfmake.py lost
info | where field ~ /loss|other|samples/
