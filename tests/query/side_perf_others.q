# A list of other threads than the profile's renames none.
# args: -o csv --threads DIR/others.txt
# dir: sidemake.py
# open: perf.txt
threads | select tid name pool named_by | sort tid
