# The moment of the end in place of the duration: no duration is told.
# make: pprofmake.py moment
info | where field ~ /^recorded_at|^duration/ | select field value
