# The same for people; deltas with their signs.
# make: foldedmake.py differential
# args: -o table
threads | select tid name samples total total_before total_delta
methods | sort -self_delta | select name self total total_before self_delta total_delta kind
calls | select depth method self total total_before self_delta total_delta kind
