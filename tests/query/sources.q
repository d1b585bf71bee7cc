# Every source and its first rows.
threads | select tid name calls wall cpu
methods | head 3 | select method calls self_wall total_wall
calls | head 5 | select depth method calls self_wall total_wall
merged | head 3 | select depth method calls self_wall total_wall
inverted | head 3 | select depth method calls self_wall total_wall
spans main | head 4 | select depth method start_wall wall start_cpu cpu
records | head 4 | select row tid method action cpu wall
