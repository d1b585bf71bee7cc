# Counts above 2^32, which are samples as well as weights.
# file: tests/fuzz/corpus/folded/large
events | select name kind samples weight unit
methods | select name, samples, self, total
threads | select name, samples, total
calls | select method, samples, self
merged | hide /main/ | select method, samples, self
inverted | select method, samples, total
methods | keep /b/ | select name, samples, self
methods | by package | select name, samples
overview | select line value share subject
info | where field ~ samples
