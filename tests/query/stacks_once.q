# The line of the dumps says the time of one, and both times of several.
# file: tests/fuzz/corpus/stacks/hotspot
overview | where line = dumps | select value subject
