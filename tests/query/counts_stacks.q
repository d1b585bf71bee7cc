# Histograms between the stack dumps of a log: the file has both.
# file: tests/fuzz/corpus/stacks/hotspot_histogram
info | where field ~ /stack_dumps|histogram|counted|unread|loss/
overview | select line value subject
histograms | select when objects shallow
growth | top 3 shallow_delta | select name shallow_before shallow shallow_delta
thread_dumps | select time threads
objects
