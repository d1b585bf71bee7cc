# Nine of ten objects have a gap behind them: of each class one touches the next object.
# make: mkheap.py gaps /dev/stdout
info | where field = layout | select value
classes | where name ~ /^com.example/ | select name objects shallow
