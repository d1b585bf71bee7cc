# The same calls by their plain names.
# make: jsonmake.py called
methods | select name,calls,total_wall
flows | select from,to,delay
info | where field ~ /^(methods|methods_listed|repair.detail|repair.end_name)$/ | select field,value
