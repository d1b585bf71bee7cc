# Columns whose names are not words: those of a table, and those that a query makes.
# dir: recordsmake.py
# open: orders.csv
records | where 'Net Price' > 2 and "c(d)" = 1 | select 'Order Date' 'q"r'
records | sort -'Net Price' line | select 'Net Price'
records | sort 'c(d)', -"Net Price" | select 'c(d)' 'Net Price'
records | top 1 'Net Price' per 'c(d)' | select line 'Net Price'*2
records | group 'c(d)' : count, sum 'Net Price' | where 'sum_Net Price' > 2 | sort -'sum_Net Price'
records | sum 'Net Price'
records | where a-b > 3 and a-b < ('Net Price' * 2) | select line
records | where abs('Net Price' - 4) > 1 | select line
records | union (records | where 'Net Price' = 5) | where 'Net Price' > 3 | select line
records | group ('Net Price' > 2) : count | where not "'Net Price' > 2"
records | select share('Net Price') | where "share('Net Price')" > 40%
records | where 'Net Prise' > 3
