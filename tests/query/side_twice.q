# Two dumps in one file: the last one counts; one id with two names in one dump.
# args: -o csv --threads DIR/twice.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
info | where field ~ /^side/ | select field value
