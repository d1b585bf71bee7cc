# Switches and samples without calls: where waits have no open calls, the report shows functions of the kernel.
# dir: perfettocases.py
# open: sampled.pftrace
# args: -o table
waits | select thread state start_wall wall waker_or_end blocked_in io_wait process
# A sleep for the disk is the thread's own time, although an interrupt in another task ends it.
waits m.example.app | where state = disk | blame | select thread state wall woken_by
