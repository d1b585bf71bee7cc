# The golden answers that show all columns of a source: counts of objects.  Others select those that they are about.
# file: tests/fuzz/corpus/counts/both
classes | head 2
counts | head 2
growth | head 2
histograms | head 2
native_memory | head 2
native_sites | head 2
