# Up and down a call tree.
calls | where depth = 2 | head 3 | select id parent
calls | where depth = 2 | head 3 | parents | select id parent depth thread
calls | where depth = 2 | head 3 | parents | children | select id parent depth thread
calls | sort -total | where depth = 2 | children | parents | where depth != 2 | count
calls | where depth = 1 | count
calls | where depth = 0 | children | count
merged | where depth = 1 | count
merged | where depth = 0 | select id | children | count
inverted | where depth = 1 | head 1 | parents | select id depth method
inverted | head 1 | children | select id parent depth method
calls | where depth = 0 | parents | count
calls main main | count
calls main | count
