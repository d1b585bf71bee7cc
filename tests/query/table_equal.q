# Numbers that are equal are one, whatever they are kept as, and widths are exact.
# file: tests/fuzz/corpus/table/prices.csv
records | where ms > 0 | group ms by 10: count
records | where ms > 1 | group price by 0.1: count
records | group less by 2: count
records | group price: count, distinct stack
records | distinct price | count
records | where price in (records | select price/1 as p) | count
records | select price/1 as p | union (records | select price as p) | distinct p
