# args: -o folded
# make: perfmake.py odd
calls
