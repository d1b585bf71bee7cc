# The largest retainers, as an indented tree.
# args: --text
# heap: heap
