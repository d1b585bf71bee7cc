# Duplicates: texts, arrays, zeros.
# heap: copies
duplicates | select kind object class length copies arrays waste
duplicates strings | where length < 30 and length > 0 | select value copies waste
duplicates arrays zeros | where length < 200 | select kind value
duplicates zeros, arrays | group kind : count, sum copies, sum waste
duplicates bitmaps | select kind value length copies waste
duplicates objects sparse tails | group kind : count, sum waste
duplicates objects | head 3 | select kind value class copies waste
duplicates sparse tails | head 4 | select kind value length copies waste
columns duplicates
strings | where copies > 3 | select object value coder copies shared waste
strings | where copies = null | select value
strings | group value : count as copies, sum waste as waste | top 2 waste | select copies waste
duplicates arrays | head 2 | copies | group class : count, sum shallow
strings | where value = twice | head 1 | copies | select id class reachable
objects java.lang.Object | copies | select id class length shallow retained
duplicates things
duplicates strings | copies 3
threads | select name | copies
