# The golden answers that show all columns of a source: heap dumps beside a recording.  Others select those that they are about.
# dir: recorded.py
# open: app.hprof
# args: DIR/rec.jfr
allocations | head 2
classes | head 2
findings | head 2
