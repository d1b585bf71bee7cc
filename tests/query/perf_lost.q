# Events that perf tells it lost.
# make: perfmake.py lost
info | where field ~ /loss|other|samples/
