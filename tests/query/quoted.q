# Columns that a query makes are named in quotes.
calls | group (depth > 3) : count | where 'depth > 3'
calls | select thread share(self) | sort -'share(self)' | head 2
calls | where 'depth' > 12 and 'any' ~ Layout | count
methods | where 'no such' > 3
