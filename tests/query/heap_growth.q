# dir: heapgrowth.py
# args: DIR/2.hprof DIR/0.hprof DIR/1.hprof
# open: 3.hprof
growth | select added counts path class bytes
growth | where severity = leak | select path class added per_step signature hash
growth | group severity : sum retained
growth classes | where always | select class counts bytes added always
growth classes | sort -added | head 3 | select class counts bytes added always
growth object
growth classes more
growth | diff
growth | file 2
columns growth
