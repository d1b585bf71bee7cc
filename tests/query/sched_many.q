# make: schedmake.py - style=many
# args: -o table
# Threads of several processes: none is the main one of the file.
threads | where main = 1 | select tid name main calls wall cpu
threads | head 3 | select id tid name main calls
waits | top 2 wall | select thread state start_wall wall waker_or_end
