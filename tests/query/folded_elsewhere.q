# Parts outside the hottest path have no sample in common; a function called only on the path is not outside.
# file: tests/fuzz/corpus/folded/elsewhere
overview | where line in ('hottest path', elsewhere) | select line value share subject
