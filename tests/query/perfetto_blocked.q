# Why tasks of a Perfetto trace slept, and how fast CPUs were.
# file: tests/fuzz/corpus/perfetto/blocked
waits | select thread state start_wall wall blocked_in io_wait
tasks | select name cpu disk io_wait frequency
cpus | select cpu busy frequency max_frequency
tasks | range 1us 2us | select name cpu frequency
cpus | range 1us 2us | select cpu frequency max_frequency
