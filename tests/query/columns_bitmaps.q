# The golden answers that show all columns of a source: bitmaps of heap dumps.  Others select those that they are about.
# heap: bitmaps15
bitmaps | head 2
