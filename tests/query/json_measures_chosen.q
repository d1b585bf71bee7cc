# Another one of these profiles, whose events are in bytes.
# file: tests/fuzz/corpus/json/speedscope_steps
# args: --event alloc_space
events
calls | format folded
