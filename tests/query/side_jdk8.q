# Hexadecimal ids, names with quotes.
# args: -o csv --threads DIR/jdk8.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state top
threads | select name pool
calls | select thread method
