# What top cut does not replace a whole name; of two threads of one name the one without another is told apart.
# args: -o csv --threads DIR/top.txt
# dir: sidemake.py
# open: perf.txt
threads | select tid name named_by | sort tid
info | where field ~ /side/ | select field value
