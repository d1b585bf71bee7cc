# Of infinite numbers there are no shares, and of both signs no sum: empty cells.
# args: -o json
# file: demo/demo.hprof.gz
objects java.lang.Class | where POSITIVE_INFINITY != null | select label POSITIVE_INFINITY share(POSITIVE_INFINITY) as s
objects java.lang.Class | where POSITIVE_INFINITY != null | group label: share POSITIVE_INFINITY, sum POSITIVE_INFINITY
objects java.lang.Double | head 1 | select value | union (objects java.lang.Class | select POSITIVE_INFINITY as value) | union (objects java.lang.Class | select NEGATIVE_INFINITY as value) | group: sum value, avg value, share value
