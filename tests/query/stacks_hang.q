# The demo of a service that hangs: deadlocks, who waits for whom, equal stacks, moves; and wrong rows.
# file: demo/hang.log.gz
thread_dumps
deadlocks | where latest
blocked | where latest
same_stacks | where latest
moves | where latest and not idle | select thread move state_to cpu same doing
locks | where latest
threads | where latest and behind > 0
threads | where latest | group pool state : count
stack 5
stack 0
stack 1000
states | group thread state : sum wall | head 5
merged | top 5 total
overview
