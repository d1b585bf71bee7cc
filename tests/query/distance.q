# distance of two columns, of a column and a text; empty texts have none.
# file: tests/fuzz/corpus/table/distance.csv
records | select a b distance(a, b) as d distance('sitting', b) as s distance(a b) + 1
records | where distance(a, b) <= 2 | select a
records | where 3 * distance(a, 'kitten') >= distance(b, 'kitten') and distance(a, b) > 0 | select a
records | where row > distance(a, b) | select row
records | sort a | select distance(a, a) as none | group none : count
