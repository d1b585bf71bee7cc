# The overview of a trace of frames: late frames come before the CPUs.
# dir: perfettocases.py
# open: frames.pftrace
# args: -o table
overview | select line value share subject use
