# The threads that lldb lists when it attaches are those of the backtrace below, so no line of them is missing.
# file: tests/fuzz/corpus/stacks/lldb_attached
threads | select dump name depth top
info | where field ~ /unread|loss/
