# A small recording of a JDK: samples, allocations, locks.
# file: tests/fuzz/corpus/jfr/small.jfr
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit current
threads | select tid name samples total
methods | select name self total kind line
calls | select thread depth method self total kind
merged | event jdk.ObjectAllocationSample | select depth method self total kind
tracks | select track kind thread points max unit
states | select state start_wall wall class
intervals | select start_wall wall thread event what
intervals jdk.JavaMonitor* | during states | select row thread state start_wall wall overlap
waits | select thread state start_wall wall waits_for waiting_in
threads | waits | select thread state start_wall wall waits_for waiting_in
methods | event jdk.ObjectAllocationSample | where self_with_class > 0 or self > 0 | select method kind self self_with_class self_with_class_pct top_class | sort -self_with_class
