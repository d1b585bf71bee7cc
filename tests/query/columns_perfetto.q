# The golden answers that show all columns of a source: traces with processes and tasks.  Others select those that they are about.
# file: demo/recipes.pftrace.gz
async | head 2
async_spans | head 2
counters | head 2
cpus | head 2
flows | head 2
frames | head 2
marks | head 2
processes | head 2
switches | head 2
tasks | head 2
waits | head 2
wakeups | head 2
blame @19 | head 2
calls | head 2
metrics | head 2
process_calls | head 2
search a | head 2
spans | head 2
states | head 2
