# The longest time off the CPU of each task in each second.
# file: tests/fuzz/corpus/tracers/offcpu_longest
info | where field !~ /index|sandbox/
threads | select name samples total start end
tracks | select track thread points unit
metrics off-cpu | select thread start_wall wall value
