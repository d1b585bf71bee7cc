# Three histograms under times of a shell: one class is gone from the last, another is in two rows of it.
# file: tests/fuzz/corpus/counts/log
info | where field ~ /histogram|counted|loss|format/
histograms
growth | select name shallow_before shallow shallow_delta objects_delta always histograms rises
classes | where objects < 10
counts | where name = Late
native_memory
