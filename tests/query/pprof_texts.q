# Functions without a name, names that are no text, sample types of one name.
# make: pprofmake.py texts
events
calls
