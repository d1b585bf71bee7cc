# args: -o csv --mapping DIR/mapping.txt
# dir: sidemake.py
# open: renamed.folded
methods | select name obfuscated
calls | format folded
