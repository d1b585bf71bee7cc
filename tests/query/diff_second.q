# dir: viewsmake.py
# args: --file 2 DIR/before.folded
# open: after.folded
threads | select tid name samples total
threads | file 1 | select tid name samples total
methods | diff | top 2 total_delta | select name total total_before total_delta
