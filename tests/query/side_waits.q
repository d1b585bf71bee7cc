# Nothing of the trace tells what this thread waits in: the dump does.
# args: -o csv --threads DIR/tops.txt
# dir: sidemake.py
# file: demo/sched.txt.gz
waits Worker | where state = sleep | group waiting_in : count
waits main | where state = sleep | group waiting_in : count
