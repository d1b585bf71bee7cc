# Frames with lines, as some profilers print them.
# args: --as folded -o csv --mapping DIR/mapping-lines.txt
# dir: sidemake.py
# open: lines.folded
methods | sort self | select self name obfuscated
