# Lines that are not quite right, classes named twice, names that try to do harm.
# args: -o json --mapping DIR/mapping-odd.txt
# dir: sidemake.py
# open: renamed.trace
methods | select method obfuscated signature file
info | where field ~ /^mapping/ | select field value
