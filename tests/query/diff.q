# dir: viewsmake.py
# args: DIR/before.folded
# open: after.folded
methods | diff | sort -total_delta
methods | diff normalised | sort -total_delta
calls | diff
threads | diff
threads | diff normalized
merged | diff | where total_delta < 0
calls | diff | by package
methods | hide /^java\./ | diff | where self_delta > 0
calls | diff | keep Cache
methods | diff | where name ~ Writer | callers
methods | diff | where name ~ logback | threads
info | where field = weight
threads
threads | file 2
threads | file 1
threads | file 3
calls | file 2 | keep Cache
calls | diff | range 1s 2s
overview | diff
