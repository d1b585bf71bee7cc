# args: -o csv --threads DIR/anr.txt --threads DIR/ps.txt --threads DIR/jdk8.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
info | where field ~ /^side/ | select field value
