# args: --threads DIR/not-there.txt
# dir: sidemake.py
# open: threads.trace
threads
