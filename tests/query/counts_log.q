# Three histograms under times of a shell: one class is gone from the last, another is in two rows of it.
# file: tests/fuzz/corpus/counts/log
info | where field ~ /histogram|counted|loss|format/
histograms | select when objects shallow
growth | select name shallow_before shallow shallow_delta objects_delta always histograms rises
classes | where objects < 10 | select name module objects shallow
counts | where name = Late | select histogram name objects shallow
native_memory
