# Every frame with its whole name; functions of two modules are two; stacks cuts names as the scripts do.
# make: perfmake.py whole
methods | select name kind self total
calls | by class | select depth method self
stacks all
