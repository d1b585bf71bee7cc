# args: -o json
threads | sort -wall | head 3
methods | where line | head 3
calls | where depth = 2 | head 3
