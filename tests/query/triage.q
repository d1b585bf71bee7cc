# Rows of icecore triage: dumps, their findings, and these by signature.
# make: triagemake.py 30
info
dumps | select path state objects live_bytes findings
dumps | where state = unreadable | select path reason
findings | where severity = leak | select path rank kind retained hash
findings | head 1 | select path rank severity kind retained hash why
groups | select kind holder content dumps builds
groups | head 2 | select hash dumps apps builds retained_max retained_median exemplar
overview | select line value subject
