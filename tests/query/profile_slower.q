# Times, before and after: what is less has a sign.
# make: foldedmake.py slower
# args: -o table
threads | select tid name samples total total_before total_delta
methods | sort -self_delta | select name self total total_before self_delta total_delta
methods | where self_delta < -1ms or self_delta > 1ms | sort self_delta | select self_delta name
methods | where self_delta = 0 | count
calls | where depth = 1 | sum self_delta
