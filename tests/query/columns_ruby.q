# The golden answers that show all columns of a source: objects of Ruby.  Others select those that they are about.
# file: tests/fuzz/corpus/ruby/catalog
objects | head 2
sites | head 2
dominated @2 | head 2
retained @2 | head 2
dominator @14 all | head 2
instances @2 | head 2
