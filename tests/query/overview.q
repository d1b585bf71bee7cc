# The overview of a trace of two clocks, by the CPU clock unless another one is asked for.
overview
overview | select line value subject opens use | head 5
overview diff
overview | where line = repairs
overview every
overview | diff | head 2
