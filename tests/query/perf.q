# The output of perf script: inlined frames, kernel, JIT, names of Rust and Java, a name with a number in it.
# make: perfmake.py small
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit
threads | select tid name samples total
calls | select thread depth method self total kind module
methods | select name self total kind module
stacks
stacks tid all addrs
stacks pid rust | where stack ~ /rustc/
stacks jit | sort -weight | head 1
