# args: --mapping DIR/jdk8.txt
# dir: sidemake.py
# open: renamed.trace
methods
