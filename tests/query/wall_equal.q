# A profile of wall-clock time: threads that mostly wait are not busy, and the work of all is said first.
# make: perfmake.py wall_equal
overview | select line value share subject
methods | where waits | select name self
