# Weights with more decimals than are kept: a half is rounded up.
# file: tests/fuzz/corpus/folded/half
methods | where self > 0 | select method self
info | where field = repair.rounded | select value
