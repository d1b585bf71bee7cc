# args: -o csv --mapping DIR/mapping.txt
# dir: sidemake.py
# open: renamed.nano.txt
methods | select method obfuscated signature
