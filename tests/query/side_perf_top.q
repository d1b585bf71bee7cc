# A name that top cut does not replace a whole name; of two threads with the same name the one without another name is identified.
# args: -o csv --threads DIR/top.txt
# dir: sidemake.py
# open: perf.txt
threads | select tid name named_by | sort tid
info | where field ~ /side/ | select field value
