# A drawing whose lowest frames name threads: worker 10 samples of its own and 50 below run, of these 20 in a frame
# that only looks so, io 30, and 10 without a thread.
# file: tests/fuzz/corpus/tracers/flame_threads.svg
threads | select name tid total
calls | select thread depth method self total
