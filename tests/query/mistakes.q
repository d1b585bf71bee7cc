# Nothing is answered when a query is wrong.
# args: --stop-on-error
threads
methods | sort -slef
