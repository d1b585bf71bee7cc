# Counters that perf reads with each sample are counters of its CPU, by the names of the defaults.
# dir: perfettocases.py
# open: followers.pftrace
counters | select counter pid points min max
info | where field ~ /unread/ | select field value
