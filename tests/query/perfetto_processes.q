# Calls by process, and processes of wakers and of switches, in a Perfetto trace.
# file: demo/recipes.pftrace.gz
# args: -o table
process_calls | where depth = 0 | select process method calls total_wall | top 3 total_wall per process
process_calls | group process : count, sum self_wall
process_calls | where process = system_server | select depth method calls self_wall total_wall process
process_calls DiskCache | where depth < 2 | select process method total_wall | head 3
process_calls | range 1s 1100ms | group process : count
process_calls | by class | group process : count
process_calls | where method ~ /onCreate$/ | parents | select depth process method
process_calls | where method ~ /onCreate$/ | children | select depth process method | head 2
wakeups | where process ~ recipes | group waker_process : count | sort -count
wakeups | where waker ~ "(irq)" | group waker_process : count
waits m.example.home | group waker_process state : count
switches | where process != (from_process) | group from_process process : count | top 4 count
process_calls | where process = system_server | format folded
