# What retains most, as an indented tree.
# args: --text
# heap: heap
