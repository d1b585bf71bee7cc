#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowgrowth.py BUILD SCRATCH - growth over several dumps against a model of its own, as TAP.

The model is over heapnames.py: a path is a tuple of keys from the root on, and each dump a dict of them.  The dumps are those of
tests/mk/heapgrowth.py and random graphs.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heap as oracle  # noqa: E402
import heapgrowth  # noqa: E402
import mkheap  # noqa: E402
from answers import number  # noqa: E402
from check import Tap, attempt  # noqa: E402
from cuts import Cuts, children  # noqa: E402
from heapanswers import spread  # noqa: E402
from heapnames import Names, shown, stable  # noqa: E402
from heapread import Reader, Refused  # noqa: E402

COLUMNS = "path class counts bytes added per_step retained severity"
SERIES = int(os.environ.get("GROWTH_SERIES", "60"))
QUICK = ("--no-index", "--quiet")


class Dump:
    """path: objects, bytes of its own, with all below; the same of classes, alone."""

    def __init__(self, data, refs="soft", sizes="vm"):
        h = oracle.Heap(Reader(data, 1), refs, sizes)
        names = Names(h)
        self.nodes, self.told, way = {}, {}, {}
        for n in names.nodes:
            way[n] = () if n.up is None else way[n.up] + (n.key if isinstance(n.key, tuple) else (n.key,),)
            self.nodes[way[n]] = n.count, n.self, n.total
            self.told[way[n]] = self.path(n), shown(n.cls) if n.role != "class" else shown(n.key[1])
        self.cuts = [(way[n], way[cut.things]) for n, cut in self.outermost(names)]
        self.live = sum(self.h_bytes(h, names))
        self.classes = {}
        for a in names.parent:
            o = h.r.objects[a]
            c = "java.lang.Class" if o.kind == "c" else h.name(h.class_of(a)) if not isinstance(h.class_of(a), str) else h.class_of(a)
            c = shown(stable(c).encode("utf-8", "surrogateescape")) if isinstance(stable(c), str) else shown(stable(c))
            n, b = self.classes.get(c, (0, 0))
            self.classes[c] = n + 1, b + h.shallow[a]

    @staticmethod
    def outermost(names):
        """Objects that have things in several collections, and that are in no other such object."""
        cuts, todo = Cuts(names), children(names.root)[::-1]
        while todo:
            n = todo.pop()
            cut = cuts.cut(n) if n.role not in ("root", "class", "threads") else None
            if cut:
                yield n, cut
            else:
                todo += children(n)[::-1]

    @staticmethod
    def h_bytes(h, names):
        return (h.shallow[a] for a in names.parent)

    @staticmethod
    def path(n):
        way, text = [], ""
        while n.up is not None:
            way.append(n)
            n = n.up
        for k, n in enumerate(reversed(way), 1):
            if n.role == "class" and k < len(way):
                continue
            name = shown(n.name)
            text += (" > " if text and name != "[]" else "") + name
        return text


def rises(values):
    return all(a < b for a, b in zip(values, values[1:]))


def faster(p, above):
    """Return whether counts rose more than 25 % faster than those above."""
    return 4 * p[-1] * above[0] > 5 * above[-1] * p[0]


def cut_rows(last, counts, told):
    """The rows with cuts: what has things in several collections has one row, that of the things.  With the owners of these."""
    owners = {}
    for owner, things in last.cuts:
        told = {p for p in told if p[:len(owner)] != owner or p == owner or faster(counts[p], counts[things])}
        if rises(counts[things]):
            told.add(things)
            owners[things] = owner
    return told, owners


def grown(dumps):
    """Return the rows that the rule reports for dumps in their order."""
    last, n = dumps[-1], len(dumps)
    counts = {p: [d.nodes.get(p, (0, 0, 0))[0] for d in dumps] for p in last.nodes if p}
    told, below = set(), set()
    for p in sorted(counts, key=len):
        above = next((p[:k] for k in range(len(p) - 1, 0, -1) if p[:k] in told), None)
        if rises(counts[p]) and (above is None or faster(counts[p], counts[above])):
            told.add(p)
    by_count = set(told)
    for p in sorted(counts, key=len, reverse=True):
        over = any(p[:k] in by_count for k in range(1, len(p) + 1))
        if rises([d.nodes.get(p, (0, 0, 0))[1] for d in dumps]) and not rises(counts[p]) and p not in below and not over:
            told.add(p)
        if p in told or p in below:
            below.add(p[:-1])
    rows = []
    told, owners = cut_rows(last, counts, told)
    for p in told:
        total = [d.nodes.get(owners.get(p, p), (0, 0, 0))[2] for d in dumps]
        added = counts[p][-1] - counts[p][0]
        leak = rises(counts[p]) and total[-1] >= last.live // 100
        rows.append(last.told[p] + (",".join(map(str, counts[p])), ",".join(map(str, total)), added, "%.9g" % (added / (n - 1)),
                                    total[-1], "leak" if leak else "note"))
    return sorted(rows)


def class_rows(dumps):
    n, rows = len(dumps), []
    for c in set().union(*(d.classes for d in dumps)):
        counts = [d.classes.get(c, (0, 0))[0] for d in dumps]
        size = [d.classes.get(c, (0, 0))[1] for d in dumps]
        slope = 12 * sum((k - (n - 1) / 2) * b for k, b in enumerate(size)) / (n * (n * n - 1))
        rows.append((c, ",".join(map(str, counts)), ",".join(map(str, size)), counts[-1] - counts[0], "%.6g" % slope,
                     str(rises(counts)).lower()))
    return sorted(rows)


def given(table):
    return sorted((spread(r["path"]), spread(r["class"]), r["counts"], r["bytes"], int(r["added"]), "%.9g" % float(r["per_step"]),
                   number(r["retained"]), r["severity"]) for r in table.rows)


def given_classes(table):
    return sorted((spread(r["class"]), r["counts"], r["bytes"], int(r["added"]), "%.6g" % float(r["slope"]), r["always"])
                  for r in table.rows)


class Series:
    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch

    def write(self, all_data):
        return [heapgrowth.write(self.scratch, "%d.hprof" % i, data) for i, data in enumerate(all_data)]

    def run(self, paths, *queries, options=QUICK):
        return self.program.run(list(options) + ["-o", "tsv"] + [x for q in queries for x in ("-e", q)] + list(paths))

    def compare(self, all_data, order=None, options=(), refs="soft", sizes="vm"):
        paths = self.write(all_data)
        dumps = [Dump(data, refs, sizes) for data in all_data]
        dumps = [dumps[i] for i in order] if order else dumps
        a = self.run(paths, "growth | select " + COLUMNS, "growth classes",
                     options=QUICK + ("--refs", refs, "--sizes", sizes) + tuple(options))
        tables = a.tables()
        if a.code not in (0, 1, 3) or len(tables) != 2:
            return ["exit status %d: %s" % (a.code, a.err.strip())]
        bad = []
        for what, want, got in (("growth", grown(dumps), given(tables[0])), ("classes", class_rows(dumps), given_classes(tables[1]))):
            bad += ["%s: missing %s" % (what, r) for r in want if r not in got][:3]
            bad += ["%s: not so %s" % (what, r) for r in got if r not in want][:3]
            bad += ["%s: %d rows, should be %d" % (what, len(got), len(want))] if len(want) != len(got) else []
        ranks = [(-number(r["retained"])) for r in tables[0].rows]
        return bad + (["not by retained"] if ranks != sorted(ranks) else [])


def story(s):
    """Only the loop is a leak, with all that it added."""
    paths = s.write([heapgrowth.make(k) for k in range(4)])
    a = s.run(paths, "growth | where severity = leak | select path class counts added signature")
    want = [["static com.example.Loop.orders[]", "com.example.Order", "5,45,85,125", str(3 * heapgrowth.ADDED),
             "v2 static com.example.Loop.orders[] > com.example.Order"]]
    got = [list(r.values()) for r in a.tables()[0].rows]
    return ["leaks: %s" % got] if a.code != 0 or got != want else []


def same_signature(s):
    """As the finding of the last dump has it."""
    data = heapgrowth.make(4, added=20000)
    paths = s.write([heapgrowth.make(k, added=20000) for k in range(3)] + [data])
    a = s.run(paths, "growth | where severity = leak | select signature hash")
    b = s.run(paths[-1:], "findings | where kind = accumulation | select signature hash")
    a, b = ([list(r.values()) for r in x.tables()[0].rows] for x in (a, b))
    return ["growth has %s, findings %s" % (a, b)] if not a or a[0] not in b else []


def by_time(s):
    times = [heapgrowth.START + t for t in (3000, 1000, 2001, 2000)]
    return s.compare([heapgrowth.make(k, time=t) for k, t in zip((3, 0, 2, 1), times)], order=(1, 3, 2, 0))


def without_time(s):
    return s.compare([heapgrowth.make(k, time=0 if k == 2 else heapgrowth.START - k) for k in range(4)])


def equal(s):
    paths = s.write([heapgrowth.make(1)] * 3)
    a = s.run(paths, "growth")
    b = s.run([paths[0]] * 2, "growth")
    return ["exit status %d, %d: %s%s" % (a.code, b.code, a.out, b.out)] if (a.code, b.code) != (1, 1) or \
        a.tables()[0].rows or b.tables()[0].rows else []


def refused(s, wanted, args, *queries):
    a = s.run(args, *queries)
    return [] if a.code == 2 and wanted in a.err and not a.out else ["exit status %d: %s %s" % (a.code, a.err, a.out)]


def many(s):
    """As many as there may be, and one more."""
    data = [heapgrowth.make(k, added=2) for k in range(65)]
    bad = s.compare(data[:64])
    return bad + refused(s, "too many files (limit: 64)", s.write(data), "growth")


def usage(s):
    paths = s.write([heapgrowth.make(k) for k in range(3)])
    trace = os.path.join(s.scratch, "a.folded")
    with open(trace, "w", encoding="ascii") as f:
        f.write("main;run 3\n")
    bad = refused(s, "3 files given, but this query reads one; choose it with --file N", paths, "classes")
    bad += refused(s, "choose it with --file N", paths, "classes | diff")
    bad += refused(s, "files; at most 8 can be open", paths * 3, "classes")
    bad += refused(s, "'growth' needs two or more heap dumps", paths[:1], "growth")
    bad += refused(s, "a.folded: not a heap dump; 'growth' compares heap dumps or class histograms", [paths[0], trace, paths[1]], "growth")
    bad += refused(s, "use classes", paths, "growth objects")
    one = s.run(paths[:2], "classes | select name objects")
    third = s.run(paths, "classes | select name objects", options=QUICK + ("--file", "1"))
    bad += [] if (one.code, one.out) == (third.code, third.out) == (0, one.out) else ["--file 1 of three: %s" % third.err]
    a = s.run(paths, "growth", "classes")
    return bad + ([] if a.code == 2 and "run queries about one file separately" in a.err else ["beside growth: %s" % a.err])


def text_page(s):
    paths = s.write([heapgrowth.make(k) for k in range(3)])
    bad = []
    for page in ("--text", "--report"):
        a = s.program.run([*QUICK, page, *paths])
        bad += [] if a.code == 2 and "choose one with --file N" in a.err else ["%s: %d %s" % (page, a.code, a.err)]
    return bad


def damaged(s):
    """Answered from what is there, for each place of the damaged dump."""
    bad, whole = [], [heapgrowth.make(k) for k in range(3)]
    for at in range(3):
        paths = s.write(whole[:at] + [whole[at][:len(whole[at]) * 2 // 3]] + whole[at + 1:])
        a = s.run(paths, "growth")
        if a.code != 3 or "%d.hprof" % at not in a.err or not a.out:
            bad.append("dump %d cut: exit status %d: %s" % (at, a.code, a.err))
    paths = s.write([whole[0], b"JAVA PROFILE 1.0.2\0", whole[2]])
    a = s.run(paths, "growth")
    return bad + (["no dump: exit status %d: %s" % (a.code, a.err)] if a.code != 5 or "1.hprof" not in a.err else [])


def same_jobs(s):
    paths = s.write([heapgrowth.make(k, added=3000) for k in range(3)])
    a, b = (s.run(paths, "growth", "growth classes", options=QUICK + ("--jobs", n)) for n in ("1", "4"))
    return [] if a.code == 0 and a.out == b.out else ["other answers with --jobs 4"]


def with_index(s):
    """From the file, then from its index."""
    paths, at = s.write([heapgrowth.make(k) for k in range(4)]), os.path.join(s.scratch, "index")
    os.makedirs(at, exist_ok=True)
    a, b = (s.run(paths, "growth", options=("--quiet", "--index", at)) for _ in range(2))
    plain = s.run(paths, "growth")
    left = sorted(os.listdir(at))
    return ([] if a.out == b.out == plain.out and a.code == 0 else ["other answers with an index"]) + \
        ([] if len(left) == 4 else ["indexes: %s" % left])


def random_series(s, seeds):
    bad = []
    for seed in seeds:
        all_data = []
        for k in range(2 + seed % 3):
            data = mkheap.make("random:%d" % (seed * 7 + k))
            try:
                Reader(data)
            except Refused:
                continue
            all_data.append(data)
        if len(all_data) > 1:
            refs, sizes = ("soft", "strong", "all")[seed % 3], ("vm", "mat")[seed % 2]
            times = [int.from_bytes(d[d.index(b"\0") + 5:][:8], "big") for d in all_data]
            order = sorted(range(len(times)), key=lambda i: times[i]) if all(times) else None
            bad += ["seed %d: %s" % (seed, b) for b in s.compare(all_data, order, refs=refs, sizes=sizes)[:3]]
    return bad


def main(argv):
    build, scratch = argv[1:]
    s, tap = Series(answers.Program(os.path.join(build, "icecore")), scratch), Tap()
    attempt(tap, "only the loop is a leak", story, s)
    for n in (2, 3, 4, 7):
        attempt(tap, "%d dumps" % n, s.compare, [heapgrowth.make(k) for k in range(n)])
    attempt(tap, "the signature is that of findings", same_signature, s)
    for name, size, key in (("one row for an index", 900, 500), ("no index", 1100, 500), ("parts that are not shared", 300, 500)):
        attempt(tap, name, s.compare, [heapgrowth.make(k, indexed=(60 + 40 * k, 0, size, key)) for k in range(3)])
    for more in (15, 22, 23, 60):
        attempt(tap, "an index with %d more names" % more, s.compare, [heapgrowth.make(k, indexed=(60 + 60 * k, more * k, 900, 500)) for k in range(3)])
    attempt(tap, "an index with rows that are always there", s.compare, [heapgrowth.make(k, indexed=(60, 20 * k, 900, 500)) for k in range(3)])
    attempt(tap, "other objects elsewhere", s.compare, [heapgrowth.make(k, spare=3 * (k % 2)) for k in range(4)])
    attempt(tap, "ordered by dump time", by_time, s)
    attempt(tap, "as given where one has no time", without_time, s)
    attempt(tap, "equal dumps, one path twice", equal, s)
    attempt(tap, "64 dumps, and not 65", many, s)
    attempt(tap, "of three files none is ignored", usage, s)
    attempt(tap, "no page of three files", text_page, s)
    attempt(tap, "damaged dumps", damaged, s)
    attempt(tap, "--jobs", same_jobs, s)
    attempt(tap, "indexes", with_index, s)
    for first in range(1, SERIES + 1, 20):
        attempt(tap, "random series %d to %d" % (first, first + 19), random_series, s, range(first, first + 20))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
