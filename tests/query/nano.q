# file: demo/feed.txt.gz
info | where field ~ /^(format|records|loader|clock|repair.extra_pops|side.*)$/
threads | select tid name calls wall cpu
tracks | select track kind thread points max unit
methods | sort -self | head 6 | select class name signature calls self total
states | group state : sum wall, sum cpu
states | where class = native and wall > 50ms | select state start_wall wall cpu class
# Waits of the main thread in native code, long and without CPU time.
states | where state = native and wall > 50ms and cpu_pct < 10 | during | select row thread depth method start_wall wall overlap percent
states main | where state = blocked | during calls | select method inside percent
spans main min 60ms | select depth method wall cpu off use
spans main | where note ~ Row | select method note wall
spans main | where method ~ nFence | during states | select row thread state start_wall wall overlap
spans main | where method ~ nFence | during metrics | select row track thread start_wall wall value
metrics cpu | where use < 5 | sort -start_wall | head 2 | select track start_wall wall value utilisation
metrics *faults | where delta > 0 | head 4 | select track start_wall wall value delta
metrics "process bytes" | sort -value | head 2 | during calls | select row thread depth method start_wall wall overlap percent
records | head 3 | select row tid method action cpu wall
# Pieces have the sums of the whole.
spans main | sum wall cpu off
spans main | split 10ms | sum wall cpu off
spans main | where depth < 4 | during states | sum overlap wall
spans main | where depth < 4 | during states | split 10ms | sum overlap wall
metrics | sum wall delta
metrics | split 100us | sum wall delta
