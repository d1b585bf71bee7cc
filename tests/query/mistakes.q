# Nothing is answered when a query is wrong.
# args: --stop-on-error
threads | select tid name calls wall cpu
methods | sort -slef
