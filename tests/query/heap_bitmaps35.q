# Native bitmaps, and images of them that the dump carries.
# heap: bitmaps35
# args: -o table
bitmaps | select object bytes width height format confidence copies storage waste why_empty
bitmaps | where copies > 1 | select object copies waste hash buffer native
bitmaps | group place : count, sum bytes
objects | where native > 0 | select id class shallow native | head 3
objects | sum native
dominators | head 1 | retained | sum native
