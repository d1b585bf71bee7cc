# The golden answers that show all columns of a source: heap dumps that follow each other.  Others select those that they are about.
# dir: heapgrowth.py
# args: DIR/2.hprof DIR/0.hprof DIR/1.hprof
# open: 3.hprof
growth | head 2
