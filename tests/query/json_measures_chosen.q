# Another one of these profiles, whose events are in bytes.
# file: tests/fuzz/corpus/json/speedscope_steps
# args: --event alloc_space
events | select name kind samples weight unit current
calls | format folded
