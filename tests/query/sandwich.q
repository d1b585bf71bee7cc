# Callers and callees.
methods | sort -total | head 1 | callees
methods | sort -total | tail 1 | callers
methods | where name = get | callers | select method calls percent
records | head 3 | callers | count
