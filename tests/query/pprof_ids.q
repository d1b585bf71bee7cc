# Ids that are not indexes; some are missing or duplicate.
# make: pprofmake.py ids
info | where field ~ /repair/
calls | select method self
