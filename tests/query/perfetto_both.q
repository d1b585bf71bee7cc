# Counters beside samples are tracks.
# dir: perfettocases.py
# open: both.pftrace
# args: -o table
tracks | select track process points start_wall max
metrics | group process track : count, max value
counters | select counter process process_id
