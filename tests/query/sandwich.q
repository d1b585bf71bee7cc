# Callers and callees.
methods | sort -total | head 1 | callees | select method calls self_wall total_wall percent
methods | sort -total | tail 1 | callers | select method calls self_cpu total_cpu percent
methods | where name = get | callers | select method calls percent
records | head 3 | callers | count
callers android.content.res.Queue259.next | where depth < 3 | select depth total_wall method
callees android.content.res.Queue259.next | where depth < 2 | select depth self_wall total_wall method
callers android.content.res.Queue259.next | where depth = 0 | select total_wall calls method_id
callees android.content.res.Queue259.next | where depth = 0 | select total_wall calls method_id
methods | where method = android.content.res.Queue259.next | select total_wall id
callees *.Queue259.next | hide java.* | where depth < 2 | select depth self_wall total_wall method
callers nobody
callees
