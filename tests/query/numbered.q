# Names that differ only in numbers hide what they have in common: the Overview takes them together.
# make: jsonmake.py numbered
info | where field = methods_numbered
overview | where line ~ /self|path/ | select line value share subject
methods | by name | select method name calls self_wall total_wall
calls | by name | select depth method calls total_wall
