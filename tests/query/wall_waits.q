# A profile of wall-clock time: where all wait, the waits are the answer.
# make: perfmake.py wall_waits
overview | select line value share subject
