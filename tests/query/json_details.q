# More names with details than are kept: the others stay plain.
# make: jsonmake.py many_details
# args: --detail
methods | count
methods | where calls > 1 | count
methods | where name ~ /^n[01]$/ | select name,calls
info | where field ~ /^repair/ | select field,value,meaning
