# Native heap profiles of a Perfetto trace, with symbols of addresses and renamed methods.
# file: tests/fuzz/corpus/perfetto/heapprofd_names
info | where field ~ /^(format|chosen_by|loss|samples|no_stack|event)/
events | select name kind samples weight unit
calls | event 'allocated bytes' | select depth method self total module
methods | event 'allocated bytes' | select name self total module file line
