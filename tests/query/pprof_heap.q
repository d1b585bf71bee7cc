# The default event that the file names; values in bytes.
# make: pprofmake.py heap
events | select name kind samples weight unit current
calls | select depth method self total
