# make: schedmake.py - style=three
# Three lines: 3 us on, 151 us off.
tasks | select name tid cpu off_cpu waits max_wait sleeping switches_in
cpus | select cpu busy idle switches
switches | select time cpu from state to
threads | select id tid name
tracks | select track kind thread points max unit
info | where field ~ /^(switches|wakeups|marks|elapsed|clock_start)$/
