# Rows as an indented tree.
merged | where depth < 3 | select depth method total | format tree
calls main | head 6 | select depth method self | format tree
calls | where depth > 2 | head 5 | select depth method | format tree
inverted | where depth < 2 | head 4 | format tree
merged | where id = 0 | format tree
methods | format tree
threads | format tree
calls | sort -self | head 3 | format tree
calls | where id in (calls | where depth = 0 | select id) or depth = 2 | format tree
calls | select method | format tree
