# Tops of stacks that are states of threads, not functions: their time is that of the function below.
# make: jsonmake.py states
methods | where samples > 0 | sort id | select name samples self total
calls | select depth method self
