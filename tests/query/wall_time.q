# A profile of wall-clock time whose weights are times: the rule for busy threads is that of counts.
# make: jsonmake.py waits
overview | select line value share subject
