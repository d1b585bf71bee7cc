# Only trace events have args.
# make: jsonmake.py hits
# args: --detail
methods
