# The golden answers that show all columns of a source: objects of JavaScript.  Others select those that they are about.
# file: tests/fuzz/corpus/v8heap/page
classes | head 2
objects | head 2
dominated @1 | head 2
retained @1 | head 2
dominator @1 all | head 2
instances /Window/ | head 2
superclasses /Window/ | head 2
subclasses /Window/ | head 2
