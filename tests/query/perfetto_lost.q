# Waits and states of a Perfetto trace during which kernel events were lost.
# file: tests/fuzz/corpus/perfetto/lost_events
waits | select thread state start_wall wall ended_by lost
states | where lost = true | select thread state start_wall wall
