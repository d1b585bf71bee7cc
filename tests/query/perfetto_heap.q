# Native heap profiles of a Perfetto trace, with symbols of addresses and renamed methods.
# file: tests/fuzz/corpus/perfetto/heapprofd_names
info | where field =~ /^(format|chosen_by|loss|samples|no_stack|event)/
events
calls | select depth method self total module
# event: frees
# file: tests/fuzz/corpus/perfetto/heapprofd_heaps
events | select name samples weight unit current
calls | select thread depth method self total
