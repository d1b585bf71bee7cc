"""Small tables in a folder, for what queries make of their columns.

usage: recordsmake.py FOLDER
"""
import os
import sys

ORDERS = '''Order Date,Net Price,c(d),"q""r",a-b
2026-01-01,5,1,x,4
2026-01-02,2,2,y,7
2026-01-03,3,1,z,1
'''


def main():
    tables = {"orders.csv": ORDERS}
    for name, text in tables.items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8", newline="") as f:
            f.write(text)


if __name__ == "__main__":
    main()
