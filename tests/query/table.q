# args: -o table
# For people: units, alignment.
threads
methods | sort -self | head 5 | select method calls self_wall total_wall self_pct
calls main | head 8 | select depth method calls self_wall total_wall
info | where field ~ repair and value > 0
