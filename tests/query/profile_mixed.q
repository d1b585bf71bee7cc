# Comments, lines without a number, empty frames, decimals, line ends of all kinds.
# make: foldedmake.py mixed
info | where field !~ /index|loader|sandbox/ | where value != 0
methods | select name kind samples self total self_pct
calls all | where self > 2.2 | select depth method self total kind
methods | where self = 1.5 | select name self total
methods | sum self
calls nobody
