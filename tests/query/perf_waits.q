# Switches with stacks: where tasks waited, and in which state.
# file: tests/fuzz/corpus/perf/pairs_switch
overview
waits | select thread state wall waiting_in
calls | per state
