# Threads as async-profiler names them, also a nameless one without any frame.
# make: foldedmake.py threads
info | where field ~ /threads|stacks|methods|total/
threads | select tid name main samples total name_source
threads | group pool : sum total, count
calls 'pool-1-thread-2' | select thread method kind self
calls @1 | select depth method self total kind
merged | where depth < 1 | select method total
merged 101 102 | select method kind total
