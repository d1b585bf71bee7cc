# Weights of a file with decimals and of one without have one unit, whichever is first.
# file: tests/fuzz/corpus/folded/half
# args: SRC/tests/fuzz/corpus/folded/small
methods | diff | sort name | select name self_after self_before self_delta
