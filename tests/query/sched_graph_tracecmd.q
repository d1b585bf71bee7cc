# trace-cmd with and without its plugin, and switches between the calls.
# file: tests/fuzz/corpus/sched/graph_tracecmd
info | where field ~ /format|switches|repair/ and value > 0
spans
switches
cpus
