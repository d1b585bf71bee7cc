# A stream that was cut in front of its summary, with room for one clock in a record: wall, and called a guess.
# file: tests/fuzz/corpus/trace/stream-wall-cut
info | where field in (clock, clock_guessed)
methods | select name self_wall self_cpu
