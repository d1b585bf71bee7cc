# needs: USE_LIBIBERTY
# Functions without a name, names that are not text, sample types with the same name.
# make: pprofmake.py texts
events
calls
