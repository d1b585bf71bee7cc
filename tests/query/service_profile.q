# A profile of a Java service whose threads only its thread dump names.
# args: -o csv --threads DIR/service.dump.txt
# dir: sidemake.py
# open: service.perf.txt
# What do the compiler threads do?
threads | where name ~ /Compiler/ | calls | select thread depth method samples total
threads | where name ~ /Compiler/ | methods | sort -self | select name self total
# Who calls logging?
methods | where name ~ /logback/ | callers | head 3 | select method self total percent module
calls | where any ~ /logback/ | select thread depth method total
methods | where name ~ /logback/ | threads | select name
# What do threads of one pool do together?
threads | group pool : count, sum total
threads | select name named_by state
calls | format folded
