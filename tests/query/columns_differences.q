# The golden answers that show all columns of a source: profiles with two counts.  Others select those that they are about.
# make: pprofmake.py before
calls | head 2
callers * | head 2
callees * | head 2
inverted | head 2
merged | head 2
methods | head 2
process_calls | head 2
threads | head 2
