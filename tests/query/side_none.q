# Not a file of threads.
# args: --threads DIR/mapping.txt
# dir: sidemake.py
# open: threads.trace
threads
