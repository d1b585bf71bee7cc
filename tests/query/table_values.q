# Values to compare with a column without a type: numbers with a unit, columns, calculations, texts.
# dir: recordsmake.py
# open: values.csv
records | where v > 10k | select line
records | where v > 10kB | select line
records | where v > (10k) and rate >= 50% | select line
records | where rate in (75%, 20%) | select line
records | group v by 10k : count
records | where a > b*2 | select line
records | where a > 2*b and a > b * 2 | select line
records | where a > 'b' * 2 and a + 1 > b | select line
records | where a = b + 4 or a != b - 1 and a < abs(b - 9) | select line
records | where a >= b+c
records | where day > 2026-01-02 and day != 2026-02-03 | select line
records | where path = a/b or path = x-y | select line path
records | where path = b*2 | select path
