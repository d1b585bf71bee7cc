# The golden answers that show all columns of a source: costs of functions.  Others select those that they are about.
# file: tests/fuzz/corpus/callgrind/cycle
arcs | head 2
events | head 2
lines | head 2
methods | head 2
callers * | head 2
callees * | head 2
