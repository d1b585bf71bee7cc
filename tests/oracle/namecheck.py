#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""namecheck.py BUILD SCRATCH - the source names against heapnames.py, as TAP.

The dumps of tests/mk/heapowners.py.  heapcheck.py compares those of tests/mk/mkheap.py and random graphs, heapcorpus.py those
of real programs.
"""
import collections
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heap as oracle  # noqa: E402
import heapowners  # noqa: E402
import mkheap  # noqa: E402
from answers import differences, number  # noqa: E402
from check import Tap, attempt  # noqa: E402
from heapanswers import spread  # noqa: E402
from heapnames import Names, shown  # noqa: E402
from heapread import Reader, Refused  # noqa: E402

LARGE = 50000                 # objects; beyond: no oracle
QUERY = "names | select id, parent, depth, name, class, count, bytes, native, shallow, nested, object"

FAMILY = ("names | where depth > 1 and count > 1 | children | select id", "names | where depth > 1 and count > 1 | parents | select id")


def wanted(names, ways, with_native):
    out, way = collections.Counter(), {}
    for n in names.nodes:
        way[n] = 0 if n.up is None else ways.setdefault((way[n.up], shown(n.name), shown(n.cls)), len(ways) + 1)
        out[(way[n], shown(n.name), shown(n.cls), n.count, n.total, n.native_total if with_native else 0, n.self,
             n.folded, names.h.number.get(n.object, 0))] += 1
    return out


def given(rows, ways, with_native):
    out, way = collections.Counter(), {}
    for r in rows:
        name, cls = spread(r["name"]), spread(r["class"])
        way[r["id"]] = 0 if not number(r["parent"]) else \
            ways.setdefault((way[r["parent"]], name, cls), len(ways) + 1)
        out[(way[r["id"]], name, cls, number(r["count"]), number(r["bytes"]), number(r["native"]) if with_native else 0,
             number(r["shallow"]), number(r["nested"]), number(r["object"]))] += 1
    return out


def form(rows, live):
    """Pre-order, the heaviest first, and each byte once."""
    bad, kids, way = [], collections.defaultdict(list), []
    for k, r in enumerate(rows, 1):
        up, depth = number(r["parent"]), number(r["depth"])
        way = way[:depth]
        if number(r["id"]) != k or (way[-1] if way else 0) != up or len(way) != depth:
            return ["row %d: not in pre-order" % k]
        way.append(k)
        kids[up].append(r)
    weigh = lambda r: number(r["bytes"]) + number(r["native"])
    for r in rows:
        mine = kids[number(r["id"])]
        if number(r["bytes"]) != number(r["shallow"]) + sum(number(x["bytes"]) for x in mine):
            bad.append("row %s: bytes are not those of its parts" % r["id"])
        if any(weigh(x) < weigh(y) for x, y in zip(mine, mine[1:])):
            bad.append("row %s: not the heaviest first" % r["id"])
        if number(r["count"]) <= number(r["nested"]):
            bad.append("row %s: all are nested" % r["id"])
    own = number(rows[0]["shallow"]) if rows else 0
    for what, got in (("shallow", sum(number(r["shallow"]) for r in rows)),
                      ("bytes of depth 1", own + sum(number(r["bytes"]) for r in kids[1]))):
        if got != live:
            bad.append("sum of %s: %d of %d live bytes" % (what, got, live))
    return bad


def family(rows, below, above):
    """The texts of stages below and above some rows: each once, in the order of names."""
    asked = {r["id"] for r in rows if number(r["depth"]) > 1 and number(r["count"]) > 1}
    up = {r["parent"] for r in rows if r["id"] in asked}
    want = [[r["id"] for r in rows if r["parent"] in asked], [r["id"] for r in rows if r["id"] in up]]
    got = [[r["id"] for r in t.rows] for t in (below, above)]
    return ["%s: %s, should be %s" % (what, g[:5], w[:5]) for what, g, w in zip(("children", "parents"), got, want) if g != w]


def live_of(info):
    return next(int(r["value"]) for r in info.rows if r["field"] == "live_bytes")


def compare(h, tables):
    """tables: of QUERY, of info, of FAMILY.  This oracle does not know the native memory that Android registers beside the heap."""
    rows = tables[0].rows
    bad = form(rows, live_of(tables[1])) + (family(rows, *tables[2:]) if tables[2:] else [])
    names, ways, native = Names(h), {}, not h.android
    want, got = wanted(names, ways, native), given(rows, ways, native)
    if want != got:
        place = {v: k for k, v in ways.items()}

        def path(w):
            out = []
            while w:
                w, name, cls = place[w]
                out.append("%s %s" % (name, cls))
            return " > ".join(reversed(out))
        for what, rest in (("not there", want - got), ("there", got - want)):
            for row in list(rest)[:4]:
                bad.append("%s: %s %s" % (what, path(row[0]), row[3:]))
    return bad + differences("names", want, got)[:1]


def names(program, path, h):
    a = program.ask(path, QUERY, "info", *FAMILY, options=("--no-index", "--refs", h.refs, "--sizes", h.sizes))
    if a.code not in (0, 1, 3):
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    tables = a.tables()
    if len(h.addresses) > LARGE:
        return form(tables[0].rows, live_of(tables[1])) + family(tables[0].rows, *tables[2:])
    return compare(h, tables)


def readable(path):
    try:
        with open(path, "rb") as f:
            return len(Reader(f.read()).objects) > 0
    except Refused:
        return False


def check(tap, program, scratch):
    path = os.path.join(scratch, "names.hprof")
    for name, maker in heapowners.MAKERS.items():
        data = maker()
        mkheap.write(path, data)
        h = oracle.Heap(data)
        for refs in ("soft", "all"):
            attempt(tap, "%s: names, --refs %s" % (name, refs), names, program, path, h.by_rules(refs, "vm"))
        attempt(tap, "%s: owners" % name, heapowners.check, name, program, path)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    check(tap, answers.Program(os.path.join(build, "icecore")), scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
