# Native heap profiles of a Perfetto trace, with symbols of addresses and renamed methods.
# file: tests/fuzz/corpus/perfetto/heapprofd_names
info | where field ~ /^(format|chosen_by|loss|samples|no_stack|event)/
events
calls | event 'allocated bytes'
methods | event 'allocated bytes'
