# When its threads ran.
# args: -o csv --threads DIR/service.dump.txt
# dir: sidemake.py
# open: service.sched.txt
# Longest time off CPU?
tasks | sort -max_gap | select name max_gap gaps off | head 2
threads | where name ~ /Compiler/ | select name tid named_by
switches | head 4 | select time cpu from state to
