# Objects aligned to 16 bytes.
# make: mkheap.py aligned /dev/stdout
info | where field = layout | select value
classes | where name ~ /^com.example/ | select name objects shallow
