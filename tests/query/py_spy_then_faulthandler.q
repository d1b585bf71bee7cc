# Two files of a series: what a reader knows of its file ends with it, and take_gil is a function of the program here.
# file: tests/fuzz/corpus/stacks/py_spy_then_faulthandler
threads | select name tid label.process state waits_for lock
