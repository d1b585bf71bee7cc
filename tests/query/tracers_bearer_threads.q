# A flame graph of Pyroscope whose lowest frames name threads: worker 6, of which 1 its own, io 3.
# file: tests/fuzz/corpus/tracers/flamebearer_threads.json
threads | select name tid total
calls | select thread depth method self total
