# args: -o csv --threads DIR/javacore.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state top
info | where field ~ /^side/ | select field value
