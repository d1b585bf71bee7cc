# Two dumps of a process and its child: each process has a GIL of its own.
# file: tests/fuzz/corpus/stacks/py_spy_series
thread_dumps | select dump pid program threads other_lines
threads | where latest | select name tid label.process state holds waits_for lock holder
info | where field ~ /unread|loss/
