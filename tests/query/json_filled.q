# Samples of V8 inside calls: the first answer is the function; the calls alone and the samples alone are events.
# file: tests/fuzz/corpus/json/filled
overview | select line value share subject
events | select name samples weight current
merged | select depth method calls self_wall total_wall self_cpu
merged | event calls | select depth method calls self_wall total_wall
merged | event cpu-samples | select depth method samples self total
methods | where sampled | select method file line calls
methods | event calls | range 1ms 2ms | count
spans | select depth method start_wall wall
