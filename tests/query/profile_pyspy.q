# Threads and processes as py-spy names them, a thread not on each line.
# make: foldedmake.py pyspy
threads | select tid pid name samples total
calls | select thread depth method self total
