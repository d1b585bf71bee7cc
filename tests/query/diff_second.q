# dir: viewsmake.py
# args: --file 2 DIR/before.folded
# open: after.folded
threads
threads | file 1
methods | diff | top 2 total_delta
