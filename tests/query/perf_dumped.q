# The output of perf script -D is not a profile.
# make: perfmake.py dumped
info
