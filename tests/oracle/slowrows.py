#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowrows.py STAGE ARGS < rows.tsv: stages of queries on rows that icecore prints as tsv, slow and clear.

  pct N COLUMN [KEY ...]      nearest-rank percentile, per group
  distinct COLUMN [KEY ...]   number of different non-empty values
  share COLUMN [KEY ...]      value / sum, in percent, of all rows or of those equal in KEY
  top N COLUMN KEY ...        the N largest of each group, groups by first appearance
  bucket COLUMN WIDTH         floor(value / WIDTH) * WIDTH
  split WIDTH                 cut rows at multiples of WIDTH; cpu, off, delta, overlap in proportion
  selftest                    against sqlite3 on random rows
Amounts are integers as in tsv; an empty cell is empty.
"""
import sys

EVEN = ('cpu', 'off', 'delta', 'overlap')


def read(stream):
    head = stream.readline().rstrip('\n').split('\t')
    return head, [dict(zip(head, line.rstrip('\n').split('\t'))) for line in stream]


def groups(rows, keys):
    found = {}
    for r in rows:
        found.setdefault(tuple(r[k] for k in keys), []).append(r)
    return found


def values(rows, column):
    return [float(r[column]) if '.' in r[column] else int(r[column]) for r in rows if r[column] != '']


def pct(rows, n, column, keys):
    out = []
    for key, part in groups(rows, keys).items():
        v = sorted(values(part, column))
        out.append(key + (v[-(-n * len(v) // 100) - 1] if v else '',))
    return out


def distinct(rows, column, keys):
    return [k + (len({r[column] for r in p if r[column] != ''}),) for k, p in groups(rows, keys).items()]


def share(rows, column, keys):
    total = {k: sum(values(p, column)) for k, p in groups(rows, keys).items()}
    out = []
    for r in rows:
        t = total[tuple(r[k] for k in keys)]
        out.append('' if r[column] == '' or t == 0 else 100 * float(r[column]) / t)
    return out


def top(rows, n, column, keys):
    out = []
    for part in groups(rows, keys).values():
        full = [r for r in part if r[column] != '']
        out += sorted(full, key=lambda r: -float(r[column]))[:n]     # sorted is stable: ties in input order
    return out


def split(rows, width):
    out = []
    for r in rows:
        begin, length = int(r['start_wall']), int(r['wall'])
        at, done = begin, {}
        while True:
            end = min(begin + length, (at // width + 1) * width)
            piece = dict(r, start_wall=str(at), wall=str(end - at))
            for c in EVEN:
                if r.get(c, '') != '' and length > 0:
                    upto = int(r[c]) * (end - begin) // length       # what has passed until the end of the piece
                    piece[c] = str(upto - done.get(c, 0))
                    done[c] = upto
            out.append(piece)
            at = end
            if at >= begin + length:
                break
    return out


def selftest():
    import random
    import sqlite3
    rnd = random.Random(7)
    for turn in range(200):
        n = rnd.randint(1, 60)
        rows = [{'k': rnd.choice('abc'), 'x': rnd.choice(['', str(rnd.randint(0, 30))]), 'i': str(i)} for i in range(n)]
        db = sqlite3.connect(':memory:')
        db.execute('create table r(k text, x integer, i integer)')
        db.executemany('insert into r values(?,?,?)', [(r['k'], int(r['x']) if r['x'] else None, int(r['i'])) for r in rows])
        p = rnd.randint(1, 99)
        want = {}
        for k, x in db.execute('select k, min(x) from (select k, x, row_number() over (partition by k order by x) as n, count(*) over'
                ' (partition by k) as c from r where x is not null) where n * 100 >= ? * c group by k', (p,)):
            want[k] = x
        assert {k: v for k, v in pct(rows, p, 'x', ['k']) if v != ''} == want
        assert dict(distinct(rows, 'x', ['k'])) == dict(db.execute('select k, count(distinct x) from r group by k'))
        want = [None if x is None else x for (x,) in db.execute('select 100.0 * x / nullif(sum(x) over (partition by k), 0) from r order by i')]
        for a, b in zip(share(rows, 'x', ['k']), want):
            assert (a == '') == (b is None) and (a == '' or abs(a - b) < 1e-9)
        want = sorted(i for (i,) in db.execute('select i from (select i, row_number() over (partition by k order by x desc, i) as n from r'
                ' where x is not null) where n <= 2'))
        assert sorted(int(r['i']) for r in top(rows, 2, 'x', ['k'])) == want
        spans = [{'start_wall': str(rnd.randint(0, 500)), 'wall': str(rnd.randint(0, 300)), 'cpu': str(rnd.randint(0, 99))} for _ in range(20)]
        width = rnd.randint(1, 120)
        parts = split(spans, width)
        for c in ('wall',):
            assert sum(int(r[c]) for r in parts) == sum(int(r[c]) for r in spans)
        assert sum(int(r['cpu']) for r in parts) == sum(int(r['cpu']) for r in spans)
        assert all(int(r['start_wall']) // width == (int(r['start_wall']) + max(int(r['wall']), 1) - 1) // width for r in parts)
    print("# 200 random tables: percentile, distinct, share, top per, split agree")


def main(a):
    if a[:1] == ['selftest']:
        return selftest()
    if not a:
        sys.exit(__doc__)
    head, rows = read(sys.stdin)
    if a[0] == 'pct':
        out = pct(rows, int(a[1]), a[2], a[3:])
    elif a[0] == 'distinct':
        out = distinct(rows, a[1], a[2:])
    elif a[0] == 'share':
        out = [[s] for s in share(rows, a[1], a[2:])]
    elif a[0] == 'bucket':
        out = [[int(r[a[1]]) // int(a[2]) * int(a[2])] for r in rows]
    else:
        part = top(rows, int(a[1]), a[2], a[3:]) if a[0] == 'top' else split(rows, int(a[1]))
        out = [[r[c] for c in head] for r in part]
    for r in out:
        print(*r, sep='\t')


if __name__ == '__main__':
    main(sys.argv[1:])
