# What perf script -D prints is no profile.
# make: perfmake.py dumped
info
