# args: -o csv --mapping DIR/mapping-odd.txt --mapping DIR/mapping.txt --threads DIR/tabs.txt
# dir: sidemake.py
# open: renamed.trace
methods | select method
threads | select name
