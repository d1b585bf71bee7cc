# A profile of wall-clock time: a thread that works while others wait.
# make: perfmake.py wall_busy
overview | select line value share subject
