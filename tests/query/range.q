calls main | range 0 1h | sum self self_cpu
calls main | range 5ms 6ms | select depth method calls self_wall total_wall
methods | range 5ms 6ms | top 3 self | select method calls self_wall total_wall
threads | range 5ms 6ms | select tid name calls wall cpu
threads | range 5ms 6ms | range 5.5ms 8ms | select tid name calls wall cpu
calls | range 2h 3h | select depth method calls self_wall total_wall
calls | range 5ms 6ms | by package | hide /^java/ | select thread depth method calls self_wall total_wall package
merged | range 5ms 6ms | hide /e/ | select depth method calls self_wall total_wall
calls nobody | range 5ms 6ms
calls | diff
methods | by file | top 3 self | select method file calls self_wall total_wall
methods | event x
