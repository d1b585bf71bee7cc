# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Small tables in a folder, for what queries make of their columns.

usage: recordsmake.py FOLDER
"""
import os
import sys

ORDERS = """Order Date,Net Price,c(d),"q""r",a-b
2026-01-01,5,1,x,4
2026-01-02,2,2,y,7
2026-01-03,3,1,z,1
"""

VALUES = """a,b,v,rate,day,path
5,1,10100,0.75,2026-01-02,a/b
9,4,10300,0.5,2026-01-03,x-y
3,4,9000,0.2,2026-02-03,b*2
"""

BEFORE = """id,n,Net Price
a,1,2
b,5,2
"""

AFTER = """id,n,Net Price
a,4,2
c,5,7
"""

LINES = """{"line":7,"x":5}
{"line":"seven","x":6,"cut":true}
"""

TWICE = """n,n,n_2,n_2_3
1,2,3,4
5,6,7,8
"""

# One measurement is missing, and some of the words are numbers.
MEASURED = "ms,word\n" + "".join("%s,%s\n" % ("n/a" if i == 10 else i, i if i % 5 == 0 else "w%d" % i)
                                for i in range(1, 401))

# Numbers that are one as floating-point numbers.
EXACT = """g,n
a,9007199254740993
a,0.100000000000000001
a,9007199254740992
b,0.100000000000000002
b,0.1
a,9007199254740994
a,9007199254740993
b,0.10
"""

# Unix times in microseconds.
TIMES = """id,ts
1,1763900000123456
2,1763900000123457
"""

# Measurements with words for those that are missing, beside texts and dates.
WORDS = """url,ms,name,ts,day,ok,flag
a,10,x,2026-01-01T10:00:00Z,31.12.2025,true,1
b,-,y,2026-01-01T10:00:01Z,01.02.2026,false,0
a,300,n/a,2026-01-01T10:00:02Z,03.01.2026,FALSE,1
b,NaN,3,2026-01-01T10:00:03Z,02.01.2026,no,0
a,25,y,2026-01-01T10:00:04Z,01.01.2026,,1
c,,z,2026-01-01T10:00:05Z,05.01.2026,true,0
"""

# Codes of digits, amounts in several currencies, and values that are names of columns.
CODES = """pad,zip,amount,a,b
0005,01234,"$1,234.56",x,x
0010,00501,EUR 12.00,y,z
0100,1234,USD 5.00,b,b
"""

# Most of one month was spent, most of the other was earned.
JAN = "Payee,Amount\nShop,-10\nGym,-21\n"
FEB = "Payee,Amount\nShop,-15\nJob,1000\nGift,50\nRefund,5\n"
EARNED = "Payee,Amount\nJob,1000\n"

SHARES = "name,share,note\nweb,9.78%,n/a\ndb,60.00 %,-\n"
ODD = "a,b\n1,2\n3\n4,5,6\n7,8\n"
# Docker and npm begin so.
BANNER = "Starting up, wait\n" + LINES

TABLES = {"orders.csv": ORDERS, "values.csv": VALUES, "before.csv": BEFORE, "after.csv": AFTER, "lines.jsonl": LINES,
          "twice.csv": TWICE, "measured.csv": MEASURED, "exact.csv": EXACT, "times.csv": TIMES, "words.csv": WORDS, "codes.csv": CODES,
          "jan.csv": JAN, "feb.csv": FEB, "earned.csv": EARNED, "shares.csv": SHARES, "odd.csv": ODD, "banner.jsonl": BANNER}


def main():
    for name, text in TABLES.items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8", newline="") as f:
            f.write(text)


if __name__ == "__main__":
    main()
