# The same for people; deltas with their signs.
# make: foldedmake.py differential
# args: -o table
threads
methods | sort -self_delta
calls
