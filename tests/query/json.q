# args: -o json
threads | sort -wall | head 3 | select tid name main wall cpu_pct former_names
methods | where line | head 3 | select method line calls self_wall total_wall
calls | where depth = 2 | head 3 | select thread depth method calls self_wall total_wall
