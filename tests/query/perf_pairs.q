# Times between tracepoints: by caller, by subject, and what has no partner.
# file: tests/fuzz/corpus/perf/pairs_lock
overview | select line value share subject
events | select name kind samples weight unit current
intervals | group function what : count, sum wall, avg wall, max wall | sort -sum_wall
info | where field ~ /^unread/
