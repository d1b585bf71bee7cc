# Ids that are no indexes; some are none, or there twice.
# make: pprofmake.py ids
info | where field ~ /repair/
calls | select method self
