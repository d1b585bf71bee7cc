# A missing line, a line that cannot be read, and a histogram without its end.
# file: tests/fuzz/corpus/counts/damaged
info | where field ~ /loss/
overview | select line value share subject
histograms | select when objects shallow
counts | select histogram name objects
