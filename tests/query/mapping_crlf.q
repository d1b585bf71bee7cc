# args: -o csv --mapping DIR/mapping-crlf.txt
# dir: sidemake.py
# open: renamed.trace
methods | select method obfuscated signature file
info | where field ~ /^mapping/ | select field value
