# args: -o csv --threads DIR/ps-pid.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
