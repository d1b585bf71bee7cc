# A call that began before the late frame and ends in it did not take it.
# dir: perfettocases.py
# open: before_frame.pftrace
# args: -o table
overview | head 3 | select line value share subject
