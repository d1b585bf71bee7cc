# dir: viewsmake.py
# args: DIR/before.folded
# open: after.folded
methods | diff | sort -total_delta | select name total total_before total_delta
methods | diff normalised | sort -total_delta | select name total total_before total_delta
calls | diff | select depth method total total_before total_delta
threads | diff | select name total total_before total_delta
threads | diff normalized | select name total total_before total_delta
merged | diff | where total_delta < 0 | select depth method total total_before total_delta
calls | diff | by package | select depth method total total_before total_delta package
methods | hide /^java\./ | diff | where self_delta > 0 | select name self self_before self_delta
calls | diff | keep Cache | select depth method total total_before total_delta
methods | diff | where name ~ Writer | callers | select method self total total_before self_delta total_delta percent
methods | diff | where name ~ logback | threads | select tid name samples total total_before total_delta
info | where field = weight
threads | select tid name samples total
threads | file 2 | select tid name samples total
threads | file 1 | select tid name samples total
threads | file 3
calls | file 2 | keep Cache | select depth method self total
calls | diff | range 1s 2s
overview | diff | select line value subject
