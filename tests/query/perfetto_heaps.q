# Several heaps of one process, and callstacks whose numbers change from dump to dump.
# file: tests/fuzz/corpus/perfetto/heapprofd_heaps
events | select name samples weight unit current
calls | event 'unreleased bytes of libc.malloc' | select thread depth method self total
calls | event 'freed bytes of libc.malloc' | select thread depth method self total
presets | where preset = heap and fits | select title
methods | event 'unreleased bytes' | where self > 0 | top 20 self | select name module self total
threads | event 'unreleased bytes' | where total > 0 | group process : sum total
