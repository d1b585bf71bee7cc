# Memory by process: what is resident at the end, and what grew.  A gauge that does not change has not grown, and one may fall.
# dir: perfettocases.py
# open: memory.pftrace
# args: -o table
overview
tracks | select track process growth max
counters | where process_id = 2 | sort -last
