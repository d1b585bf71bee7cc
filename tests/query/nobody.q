# A thread that is not there: the other answers come all the same.
calls nobody
threads | count
