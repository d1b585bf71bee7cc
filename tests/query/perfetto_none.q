# A query about what a trace may have, but has not, finds nothing: exit status 1.
# dir: perfettocases.py
# open: counters.pftrace
methods | top 3 self | select name self_wall
calls | select depth method calls self_wall total_wall
spans | count
waits | select thread state start_wall wall
