# make: schedmake.py - style=three
# Three lines: 3 us on, 151 us off.
tasks
cpus
switches
threads | select id tid name
tracks
info | where field ~ /^(switches|wakeups|marks|elapsed|clock_start)$/
