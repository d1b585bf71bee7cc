# py-spy: frames that stand for threads and processes name them; a call of another recorder is a call.
# file: tests/fuzz/corpus/json/pyspy
threads | select tid pid name calls wall
spans | select method thread wall depth
