# Only trace events have args.
# file: demo/profile.txt.gz
# args: --detail
methods
