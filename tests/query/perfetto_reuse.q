# Threads and processes of a Perfetto trace that had the same id.
# file: tests/fuzz/corpus/perfetto/tid_reuse
tasks | select name tid pid process
threads | select name tid process calls
processes | select name pid threads main_id
