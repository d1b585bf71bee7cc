# A profile that only counts samples, which were taken each 20 ms: their time.
# make: pprofmake.py counted
events | select name samples weight unit period
info | where field ~ /period|total|^samples/
methods | top 2 self | select name samples self total
