# Folded stacks: kinds of frames, a recursion, a duplicate stack.
# make: foldedmake.py small
info | where field !~ /index|loader|sandbox/
threads | select tid name samples total
methods | sort -self | select name self total kind
methods | where kind = k | select name self_pct total_pct
calls | select depth method self total kind
calls | where method = write | parents | select method total
calls | where method = write | children | select method self
merged | where depth < 2 | select method samples self total
inverted | where depth < 2 | select depth method samples self total
methods | where name = Parser.next | callers | select method self total percent
methods | where name = Worker.loop | callees | select method self total percent
calls | group method : sum self, count | sort -sum_self | head 3
methods | top 2 total | select name self total
