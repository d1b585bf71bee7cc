# Two counts: before and after, and what they differ by.
# make: foldedmake.py differential
info | where field !~ /index|loader|sandbox/ | where value != 0
threads | select tid name samples total total_before total_delta
methods | sort -total_delta | select name self self_before self_delta total total_before total_delta
methods | where self_delta < 0 | sort self_delta | select self_delta name
calls | select depth method self self_before self_delta total_delta
merged | where depth = 1 | select method self_delta
inverted | where depth = 0 | select method self_delta
methods | where name = grew | callees | select method total total_before total_delta percent
calls | sum total_delta
methods | sort -delta | head 2 | select name delta total_after
