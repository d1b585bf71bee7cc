# A detailed report with changes since a baseline.
# file: tests/fuzz/corpus/counts/detail_changes
overview | select line value subject
native_memory | where committed_delta != 0 | select name committed committed_delta
native_sites | select bytes bytes_delta count category function reserved
