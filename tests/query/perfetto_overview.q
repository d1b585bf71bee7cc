# The overview of a trace with samples instead of calls: main threads that were stopped, and losses, come before the CPUs.
# dir: perfettocases.py
# open: sampled.pftrace
# args: -o table
overview | select line value share subject use
