# Tracks below tracks: which track a slice is on, slices around it, open slices of a track and of those below it, kinds of slices by track.
# dir: perfettocases.py
# open: nested.pftrace
# args: -o table
async_spans | select id parent depth name track process wall
async | select name track count total
tracks | where unit = open | select track depth max process
metrics GPU | select track start_wall wall value
search "submit" | select name wall
