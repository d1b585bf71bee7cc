# Only the dump shows what this thread waits in, not the trace.
# args: -o csv --threads DIR/tops.txt
# dir: sidemake.py
# file: demo/sched.txt.gz
waits Worker | where state = sleep | group waiting_in : count
waits main | where state = sleep | group waiting_in : count
