# A profile without symbols: the first screen says so.
# file: tests/fuzz/corpus/folded/addresses
overview | select line value share subject
