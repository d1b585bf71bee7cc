# args: -o table
# What is computed keeps its unit.
methods | top 3 self | select name self/total as share, total - self, total/calls as each calls/total as rate
methods | head 2 | select (self+total)/2 self*2 self×2 as x 2*(3+4) 1-2 calls-1000 calls*50%
methods | select self ÷ total as share self − total as rest | sort rest | head 2
methods | select self/total | sort -self/total | head 1
methods | head 1 | select self/0 10k 10kB/1s as rate 2ms 0.001
methods | select self-total as d | sum d
methods | select name as n total as time | top 2 time
threads | select name cpu/wall as busy | where busy > 10%
