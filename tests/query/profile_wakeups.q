# Frames above -- are the waker's.
# make: foldedmake.py wakeups
calls | select depth method kind self
