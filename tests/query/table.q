# args: -o table
# For people: units, alignment.
threads
methods | sort -self | head 5
calls main | head 8
info | where field ~ repair and value > 0
