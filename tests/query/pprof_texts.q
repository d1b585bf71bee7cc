# needs: USE_LIBIBERTY
# Functions without a name, names that are not text, sample types with the same name.
# make: pprofmake.py texts
events | select name kind samples weight unit current no_stack
calls | select depth method self total
