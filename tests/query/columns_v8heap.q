# The golden answers that show all columns of a source: objects of JavaScript.  Others select those that they are about.
# file: tests/fuzz/corpus/v8heap/page
classes | head 2
objects | head 2
