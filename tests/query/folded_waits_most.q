# Of threads that mostly wait, some in the kernel: the story counts all waits, and who waits is not who works.
# file: tests/fuzz/corpus/folded/waits_most
overview | where line in (story, 'top waiting', 'top self') | select line value share subject
