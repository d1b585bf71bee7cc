# Ids of threads that need more than 32 bits, such as those of pthread_self: two threads of one name are told apart.
# file: tests/fuzz/corpus/json/wide_ids
threads | select tid name label wall | sort -wall
