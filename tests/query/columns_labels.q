# The golden answers that show all columns of a source: labels of samples.  Others select those that they are about.
# make: pprofmake.py labels
labels | head 2
