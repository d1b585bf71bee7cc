# Several heaps of one process, and callstacks whose numbers change from dump to dump.
# file: tests/fuzz/corpus/perfetto/heapprofd_heaps
events | select name samples weight unit current
calls | event 'unreleased bytes of libc.malloc' | select thread depth method self total
calls | event 'freed bytes of libc.malloc' | select thread depth method self total
