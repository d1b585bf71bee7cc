# Histograms, reports and other lines in one log: the last ones, their growth, and the process as a sum.
# file: tests/fuzz/corpus/counts/both
info | where field !~ /index|sandbox/
overview | select line value share subject
histograms | select when objects shallow
classes | select name module objects shallow
growth | select shallow_delta shallow objects_delta always name
growth | where always | top 2 objects_delta | select name objects_before objects objects_delta rises
counts | where histogram = 2 and module = '' | select name objects shallow when class
native_memory | select committed reserved name malloc
native_memory | sort -committed_delta | head 2 | select name committed_delta
native_sites | select bytes count category function
native_sites | group category : sum bytes, count
objects
classes | instances
