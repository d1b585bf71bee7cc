# The golden answers that show all columns of a source: bytecode.  Others select those that they are about.
# file: demo/notes.jar
bugs | head 2
classes | head 2
methods | head 2
methods | head 1 | bytecode | head 2
