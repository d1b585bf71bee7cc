# The golden answers that show all columns of a source: recordings of browsers.  Others select those that they are about.
# make: gecko.py demo
categories | head 2
processes | head 2
