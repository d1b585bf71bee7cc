# Both sides of a comparison can be computed.
# args: --clock wall
methods | where self/total < 6% and total > 1ms | select name self/total as share
methods | where total - self > 2*self and (self + total)/2 > 1ms | count
calls | where (total - self) in (1us, 1us + 1us) | count
methods | select name total/calls as each | where each > 5ms
records | avg wall | where avg_wall > 4ms | count
