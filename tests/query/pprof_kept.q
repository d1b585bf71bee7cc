# Functions that the profile hides, except some.
# make: pprofmake.py kept
info | where field ~ /frames|dropped/
calls | select depth method self
