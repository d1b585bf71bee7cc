# Flows that end at the end of a call, and flows of old events: in the call around them and in the next one.
# dir: perfettocases.py
# open: flows.pftrace
flows | select name cat count whole from to start delay from_thread to_thread
flows | select from from_thread to to_thread start delay key
