# Every frame with its whole name; functions of two modules are two; stacks cuts names as the scripts do.
# make: perfmake.py whole
methods | select name kind self total
methods | where name = _start | select name module total
methods | where name = main | callers | select method module
merged | where depth = 1 | select method module
methods | by module | select name self total
calls | by class | select depth method self
stacks all
