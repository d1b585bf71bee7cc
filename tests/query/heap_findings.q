# Objects that should not be alive and objects that fill the heap; from findings to objects.
# heap: heap
findings | select finding severity kind retained percent count class why
findings | select finding percent count other path
findings | select kind signature
findings | sort -grade -retained | select grade retained what
findings activity | count
findings accum*, thread | select kind object
findings | where severity = leak | select finding severity kind path
findings | head 1 | path | select depth field class
findings | head 1 | dominated | head 3 | select class retained
findings | head 1 | leaktrace | select text
findings activty
findings | where kind = lek | select severity kind retained count object why
findings =
help findings | where kind = finding | count
help findings | where item = activity and kind = finding
help findings | where item = 'bad hash' | select kind meaning
columns findings | where shown = 0 | select name
