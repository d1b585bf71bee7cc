# A function of waits that nothing called is what there is to say.
# file: tests/fuzz/corpus/folded/waits_alone
# args: --as folded
overview | where line in (story, 'top waiting', 'top self') | select line value share subject
