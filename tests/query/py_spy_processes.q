# py-spy dump --subprocesses: all processes are one dump, whose process is the first one.
# file: tests/fuzz/corpus/stacks/py_spy_processes
thread_dumps | select dump pid program threads other_lines
threads | select name tid dump depth label.process
