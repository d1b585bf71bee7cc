# Names with blanks: a thread of py-spy, frames that are not functions.
# make: jsonmake.py prose
threads | select name tid
overview | where line = 'hottest path' | select subject
