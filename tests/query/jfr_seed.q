# A small recording of a JDK: samples, allocations, locks.
# file: tests/fuzz/corpus/jfr/small.jfr
info | where field !~ /index|loader|sandbox/
events
threads
methods
calls
merged | event jdk.ObjectAllocationSample
tracks
states
intervals
intervals jdk.JavaMonitor* | during states
waits
threads | waits
methods | event jdk.ObjectAllocationSample | where self_with_class > 0 or self > 0 | select method kind self self_with_class self_with_class_pct top_class | sort -self_with_class
