# In a log, and of the thread that wrote its own stack: it has no number.
# file: tests/fuzz/corpus/stacks/faulthandler_stack
threads | select name doing own depth
findings | select kind thread what
overview | where line ~ /^(not read|losses)/ | select line value subject
