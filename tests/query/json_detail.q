# Calls that are called after what their args say as well.
# make: jsonmake.py called
# args: --detail
methods | select name,calls,total_wall
spans | select method,detail
calls | select method,detail
flows | select from,to,delay
events | select name,samples
info | where field ~ /^(methods|methods_listed|repair.detail|repair.end_name)$/ | select field,value
