# A recording whose sampling period changes: each sample counts the period of its time.
# make: jfrmake.py periods
events | where name = jdk.ExecutionSample | select samples weight unit period
overview | where line = samples | select value subject
threads | where samples > 0 | select samples total
