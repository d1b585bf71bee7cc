# Which class, package and file names of several languages say.
# args: --as folded
# make: foldedmake.py languages
methods | by class | select name total
methods | by package | select name total
methods | by file | select name total
