# A thread that is not there: the other answers are still printed.
calls nobody
threads | count
