# Frames of Android: expected against actual times, whose fault a late frame is, the layer, and which frame of the display shows it.
# dir: perfettocases.py
# open: frames.pftrace
# args: -o table
frames | select kind token start_wall wall overrun jank
frames | select token kind present severity prediction gpu display pid main_id slice
frames | group process tag : count, max overrun
frames | range 90ms 150ms | select token start_wall wall
frames | where not on_time and kind = app | top 2 overrun | select token layer overrun
flows | select name count whole from to start delay
