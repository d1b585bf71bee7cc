# Stacks that were taken when threads left the CPU, as offcputime -f prints them: who waits is said, not the scheduler.
# file: tests/fuzz/corpus/folded/off_cpu
overview | where line in (story, 'top waiting', 'top self') | select line value share subject
