# Austin's times, for people.
# make: foldedmake.py austin
# args: -o table
info | where field !~ /index|loader|sandbox/ | where value != 0 | select field value
methods | select name self total
calls | where total > 1ms | select depth method self total
