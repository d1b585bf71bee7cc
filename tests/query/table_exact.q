# Numbers that differ behind the digits that a floating-point number has.
# dir: recordsmake.py
# open: exact.csv
records | group g : min n, p1 n, p25 n, p34 n, p50 n, p67 n, p80 n, p99 n, max n
