# Stacks of switches: time off the CPU until the thread runs again.
# make: perfmake.py switches
# args: --event off-cpu
events
threads
calls
stacks kernel
