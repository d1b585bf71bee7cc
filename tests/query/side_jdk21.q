# Decimal ids, a carrier of a virtual thread, deadlock sections that name no threads.
# args: -o csv --threads DIR/jdk21.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
info | where field ~ /^side/ | select field value
