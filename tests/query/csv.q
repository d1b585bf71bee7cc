# args: -o csv
methods | select class name signature | head 4
threads | select name pool
