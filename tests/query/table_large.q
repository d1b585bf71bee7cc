# Large numbers that are computed have all their digits; small ones do not say how fractions are kept.
# dir: recordsmake.py
# open: times.csv
records | select ts/1000 as ms, ts/1000000 as s, ts*id as product, ts*1000*1000*1000 as huge
records | avg ts
records | select id/10 + 0.2 as d, id/3 as third, id*1000000.1 as m, ts/1k*id as whole
records | select ts/1000 as ms | head 1 | format json
records | where id = 2 | select ts/1k as ms | format csv
records | where ts/1000 = 1763900000123.456 | count
