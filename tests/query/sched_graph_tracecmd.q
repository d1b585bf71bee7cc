# trace-cmd with and without its plugin, and switches between the calls.
# file: tests/fuzz/corpus/sched/graph_tracecmd
info | where field ~ /format|switches|repair/ and value > 0
spans | select thread depth method start_wall wall cpu
switches | select time cpu from state to
cpus | select cpu busy idle switches unaccounted
