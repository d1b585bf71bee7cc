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
methods | event jdk.ObjectAllocationSample | where direct > 0 or self > 0 | select method kind self direct direct_pct mostly | sort -direct
