# py-spy dump --subprocesses: each process is a dump of its own.
# file: tests/fuzz/corpus/stacks/py_spy_processes
thread_dumps | select dump pid program threads
threads | select name tid dump depth
