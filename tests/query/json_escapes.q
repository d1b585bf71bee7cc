# Paths of Windows that a program wrote without escapes keep their backslashes.
# make: jsonmake.py escapes
methods | sort id | select name
threads | select name tid
overview | where line = repairs | select value subject
search 'D:' | select name detail
