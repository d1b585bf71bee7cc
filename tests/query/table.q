# args: -o table
# For people: units, alignment.
threads | select id tid name main calls wall cpu off_cpu cpu_pct start end depth repairs
methods | sort -self | head 5 | select method calls self_wall total_wall self_pct
calls main | head 8 | select depth method calls self_wall total_wall
info | where field ~ repair and value > 0
