# Names of Rust in an old mangling of C++, in DTrace's stacks: hashes are dropped, escapes are characters.
# file: tests/fuzz/corpus/tracers/dtrace_rust
methods | select method self total module
calls | format folded
