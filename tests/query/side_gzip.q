# args: -o csv --threads DIR/dump.txt.gz
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
