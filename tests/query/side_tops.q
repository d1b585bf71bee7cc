# The innermost frames of a dump: of a module, of none, of a loader; and of OpenJ9, which has slashes for dots.
# args: -o csv --threads DIR/tops.txt
# dir: sidemake.py
# open: threads.trace
threads | select tid name state top
