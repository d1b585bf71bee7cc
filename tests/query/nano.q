# file: demo/feed.txt.gz
info | where field ~ /^(format|records|loader|clock|repair.extra_pops|side.*)$/
threads
tracks
methods | sort -self | head 6 | select class name signature calls self total
states | group state : sum wall, sum cpu
states | where class = native and wall > 50ms
# Waits of the main thread in native code, long and without CPU time.
states | where state = native and wall > 50ms and cpu_pct < 10 | during
states main | where state = blocked | during calls | select method inside percent
spans main min 60ms | select depth method wall cpu off use
spans main | where note ~ Row | select method note wall
spans main | where method ~ nFence | during states
spans main | where method ~ nFence | during metrics
metrics cpu | where use < 5 | sort -start_wall | head 2
metrics *faults | where delta > 0 | head 4
metrics "process bytes" | sort -value | head 2 | during calls
records | head 3
# Pieces have the sums of the whole.
spans main | sum wall cpu off
spans main | split 10ms | sum wall cpu off
spans main | where depth < 4 | during states | sum overlap wall
spans main | where depth < 4 | during states | split 10ms | sum overlap wall
metrics | sum wall delta
metrics | split 100us | sum wall delta
