calls main | range 0 1h | sum self self_cpu
calls main | range 5ms 6ms
methods | range 5ms 6ms | top 3 self
threads | range 5ms 6ms
threads | range 5ms 6ms | range 5.5ms 8ms
calls | range 2h 3h
calls | range 5ms 6ms | by package | hide /^java/
merged | range 5ms 6ms | hide /e/
calls nobody | range 5ms 6ms
calls | diff
methods | by file | top 3 self
methods | event x
