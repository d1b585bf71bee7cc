# args: -o csv --threads DIR/ps-default.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
