# args: -o csv --threads DIR/anr.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state top
