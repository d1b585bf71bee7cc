# py-spy dump --subprocesses --json: the dump is that of the first process.
# file: tests/fuzz/corpus/stacks/py_spy_json_processes
thread_dumps | select dump pid threads
threads | select name tid label.process holds depth
