# Two weights, as -diff_base writes them.
# make: pprofmake.py before
info | where field ~ /kind|total|repair/
calls | select thread depth method self total total_before self_delta total_delta
