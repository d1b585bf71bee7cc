# A profile of wall-clock time: one of many threads works, which is a small share of all.
# make: perfmake.py wall_many
overview | select line value share subject
