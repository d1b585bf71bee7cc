# args: -o csv --threads DIR/jdk5.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
