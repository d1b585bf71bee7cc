# Switches with stacks: where tasks waited, and in which state.
# file: tests/fuzz/corpus/perf/pairs_switch
overview | select line value share subject use
waits | select thread state wall waiting_in
calls | per state | select thread depth method self total module
