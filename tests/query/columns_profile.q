# The golden answers that show all columns of a source: samples.  Others select those that they are about.
# file: demo/profile.txt.gz
calls | head 2
events | head 2
inverted | head 2
merged | head 2
methods | head 2
process_calls | head 2
threads | head 2
callers * | head 2
callees * | head 2
