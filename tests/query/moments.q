# Ranges by the clock of the world: of the day on which the recording began, with a date, from another zone, and what is refused.
# args: --event cpu
# file: demo/shop.jfr.gz
info | where field in (recorded_at, elapsed)
methods | range 10s 20s | group : sum self as samples
methods | range 12:50:10 .. 12:50:20 | group : sum self as samples
methods | range 12:50:10.000 12:50:20Z | group : sum self as samples
methods | range 2026-01-01T12:50:10 .. 2026-01-01T12:50:20Z | group : sum self as samples
methods | range '2026-01-01 14:50:10+02:00' '2026-01-01T07:20:20-05:30' | group : sum self as samples
methods | range 12:50 20s | group : sum self as samples
methods | range 12:50:10 .. 12:50:10 | group : sum self as samples
intervals | range 12:50:10 12:50:11 | where event = jdk.FileForce | head 2 | select start_wall at wall
methods | range 14:03 14:04
methods | range 2026-01-02T12:50:10 2026-01-02T12:50:20
methods | range 12:50:20 12:50:10
methods | range 12:60 12:61
methods | range 12:50:10 .. 12:50:20 1s
methods | range 2026-01-01T12:50:00 2026-02-31T00:00:00
