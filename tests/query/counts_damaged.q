# A missing line, a line that cannot be read, and a histogram without its end.
# file: tests/fuzz/corpus/counts/damaged
info | where field ~ /loss/
overview
histograms
counts | select histogram name objects
