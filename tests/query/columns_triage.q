# The golden answers that show all columns of a source: many dumps.  Others select those that they are about.
# make: triagemake.py 2 14
changes | head 2
dumps | head 2
findings | head 2
groups | head 2
methods | head 2
