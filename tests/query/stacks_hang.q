# The demo of a service that hangs: deadlocks, who waits for whom, equal stacks, moves; and wrong rows.
# file: demo/hang.log.gz
thread_dumps | select dump time kind threads blocked deadlocks program
deadlocks | where latest | select dump deadlock thread waits_for holder lock latest
blocked | where latest | select dump depth waiters thread state waits_for latest
identical_stacks | where latest | select dump threads states doing names latest
pools | where latest | select dump pool threads idle states latest
pools | where dump = 2 and states ~ blocked | select dump pool threads idle waiters states cpu row
# Trees by state, pool and dump; one dump.
calls | per state | where depth = 0 | select thread method total
calls | per pool | dump last | where depth = 0 | select thread total samples
calls | per dump | state blocked | where depth = 0 | select thread total
merged | dump 2 | where depth < 3 | select depth method total
inverted | dump 1 | per state | head 3 | select method total
merged | dump 9
merged | dump 0
merged | per day
thread_changes | where latest and not idle | select thread change state_to cpu same doing
locks | where latest | select lock class waiters latest holder
threads | where latest and waiters > 0 | select dump name state waiters waits_for holder doing latest
threads | where latest | group pool state : count
stack 5 | select depth frame place
stack 0
stack 1000
states | group thread state : sum wall | head 5
merged | top 5 total | select depth method self total
overview | select line value subject
findings | where latest | select dump severity kind what thread doing latest
findings | group kind severity : count
help findings | head 3
