# The default event that the file names; values in bytes.
# make: pprofmake.py heap
events
calls
