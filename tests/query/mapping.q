# args: -o csv --mapping DIR/mapping.txt
# dir: sidemake.py
# open: renamed.trace
methods | select method obfuscated signature file line
info | where field ~ /^mapping/ | select field value
calls | head 3 | select method
methods | where obfuscated = a.b.a | select name
