# Profiles of speedscope of types that it does not know are counted, and not read as samples.
# make: jsonmake.py types
info | where field ~ /^(unread.*|samples|total)$/ and value != 0
threads | select name samples
overview | where line = "not read" | select line value share subject
