# No ids of the system: by name, also where the trace has only its first 15 bytes.
# args: -o csv --threads DIR/jmx.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name earlier named_by state
info | where field ~ /^side/ | select field value
