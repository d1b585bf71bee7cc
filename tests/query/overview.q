# The overview of a trace of two clocks, by the CPU clock unless another one is asked for.
overview | select line value share subject opens
overview | select line value subject opens use | head 5
overview diff | select line value opens
overview | where line = repairs | select line value subject opens
overview every
overview | diff | head 2
