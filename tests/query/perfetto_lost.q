# Waits and states of a Perfetto trace during which kernel events were lost.
# file: tests/fuzz/corpus/perfetto/lost_events
waits | select thread state start_wall wall waker_or_end lost
states | where lost = true | select thread state start_wall wall
