# The golden answers that show all columns of a source: recordings of a JVM.  Others select those that they are about.
# file: demo/shop.jfr.gz
intervals | head 2
waits | head 2
