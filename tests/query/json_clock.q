# Trace events of Chrome with CPU times of threads.
# make: jsonmake.py clock
info | where field ~ /cpu|clock$/
threads | select tid,wall,cpu,off_cpu
spans @1 | select method,wall,start_cpu,cpu
