# Nothing is answered when a query is wrong.
threads
methods | sort -slef
