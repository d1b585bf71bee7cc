# Words of a column of numbers are neither the least nor the greatest ones.
# dir: recordsmake.py
# open: words.csv
records | min ms
records | max ms, name
records | group url : min ms, max ms, p50 ms, last ms
records | top 1 ms | select url ms
records | top 1 ms per url | select url ms
records | top ms url | select url ms
records | sort ms | select url ms
records | sort -ms -url | select url ms
records | sort -abs(ms) | head 4 | select url ms
records | sort -name | select name
records | group ms by 100
records | group name by 100
records | where ms > 1 | group ts by 1000000000
records | group day by 7
records | union (records) | max ms
