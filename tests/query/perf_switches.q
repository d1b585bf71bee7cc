# Stacks of switches: time off the CPU until the thread runs again.
# make: perfmake.py switches
# args: --event off-cpu
events | select name kind samples weight unit current
threads | select tid name samples total
calls | select thread depth method self total module
stacks kernel
