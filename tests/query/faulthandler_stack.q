# Of a single thread there is no number: the thread that wrote its stack.
# file: tests/fuzz/corpus/stacks/faulthandler_stack
threads | select name doing own depth
findings | select kind thread what
overview | where line ~ /^(not read|losses)/ | select line value subject
