# Rows of icecore triage: dumps, their findings, and these by signature.
# make: triagemake.py 30
info
dumps
dumps | where state = unreadable | select path reason
findings | where severity = leak | select path rank kind retained hash
findings | head 1
groups
groups | head 2 | select hash dumps apps builds retained_max retained_median exemplar
overview
