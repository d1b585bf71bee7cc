#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapcheck.py BUILD SCRATCH - icecore on heap dumps against the oracle heap.py, as TAP.

The dumps of tests/mk/mkheap.py, sound and damaged, by all rules of --refs and
--sizes, some of them (sampled.py), and random graphs, whose dominators come from their definition.
"""
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import dumpkeys  # noqa: E402
import dumpparts  # noqa: E402
import heap as oracle  # noqa: E402
import heapanswers as say  # noqa: E402
import heapdiff  # noqa: E402
import heapodd  # noqa: E402
import heaptwo  # noqa: E402
import machine  # noqa: E402
import made  # noqa: E402
import mkheap  # noqa: E402
import namecheck  # noqa: E402
import sampled  # noqa: E402
import schedmake  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402
from heapread import Reader, Refused  # noqa: E402

GRAPHS = int(os.environ.get("HEAP_GRAPHS", "60"))
IN_ONE_TEST = 20
SMALL = 200                   # objects up to which the definition is affordable
PAIRS = 20                    # of random graphs that are compared
PICKED = 12                   # objects of a dump whose neighbours and paths are asked for
REFS = ("soft", "strong", "all", "unreachable")
SIZES = ("vm", "mat")
TABLES = ("info", "objects", "histogram", "classes", "loaders", "roots", "threads", "frames", "strings")


class Case:
    """A dump; one run of the program for each of the rules gives all answers."""

    def __init__(self, program, path, damaged=False, dump=1):
        self.program, self.path, self.damaged, self.dump = program, path, damaged, dump
        with open(path, "rb") as f:
            self.first = oracle.Heap(Reader(f.read(), dump))
        self.told = {}

    def tables(self, refs, sizes):
        if (refs, sizes) not in self.told:
            self.told[refs, sizes] = self.ask([*TABLES, *(self.near_queries() if sizes == "vm" else ()), namecheck.QUERY, *namecheck.FAMILY], refs, sizes)
        return self.told[refs, sizes]

    def ask(self, queries, refs, sizes):
        options = ("--no-index", "--refs", refs, "--sizes", sizes, "--dump", str(self.dump))
        a = self.program.ask(self.path, *queries, options=options)
        told = a.err.strip() != ""
        if a.code not in (0, 1, 3) or (a.code == 3) != told or (told and not self.damaged):
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        got = a.tables()
        if a.code == 1 and all(t.rows for t in got):
            raise ValueError("exit status 1, and no answer without rows")
        if len(got) != len(queries):
            raise ValueError("%d answers to %d queries" % (len(got), len(queries)))
        return dict(zip(queries, got))

    def heap(self, refs, sizes):
        return self.first.by_rules(refs, sizes)

    def all_tables(self, refs, sizes):
        h, got, bad = self.heap(refs, sizes), self.tables(refs, sizes), []
        for t in TABLES:
            bad += getattr(say, "compare_" + t)(h, got[t])
        return bad

    def names(self, refs, sizes):
        got = self.tables(refs, sizes)
        return namecheck.compare(self.heap(refs, sizes), [got[q] for q in (namecheck.QUERY, "info", *namecheck.FAMILY)])

    def picked(self):
        n = len(self.first.addresses)
        return sorted({1 + k * max(n // PICKED, 1) for k in range(PICKED)} & set(range(1, n + 1)))

    def near_queries(self):
        return ["%s @%d" % (w, k) for k in self.picked() for w in ("refs", "referrers", "path")]

    def neighbours(self, refs):
        """References, referrers and paths of some objects."""
        h, got = self.heap(refs, "vm"), self.tables(refs, "vm")
        into, near, far = say.referrers(h), say.nearest(h, [h.addresses[k - 1] for k in self.picked()]), h.distances(True)
        bad = []
        for k in self.picked():
            bad += say.compare_refs(h, k, got["refs @%d" % k])
            bad += say.compare_referrers(h, k, got["referrers @%d" % k], into)
            bad += say.compare_path(h, k, got["path @%d" % k], near, far)
        return bad


def by_definition(h):
    """The oracle's own dominators, from nothing but reachability."""
    parent, retained = h.solve()
    if len(h.shallow) > SMALL:
        return []
    want = h.solve_by_definition()
    return [] if want == (parent, retained) else ["the oracle contradicts itself"]


def check_sound(tap, program, scratch):
    dumps = made.dumps()
    cases = [(name, 1) for name in mkheap.MAKERS] + [("two", 2)]
    today = sampled.turns([(*case, refs) for case in cases for refs in REFS[1:]])
    for name, dump in cases:
        rules = [refs for refs in REFS if refs == REFS[0] or (name, dump, refs) in today]
        case = Case(program, dumps[name], dump=dump)
        name += "" if dump == 1 else ", dump %d" % dump
        for refs in rules:
            attempt(tap, "%s: --refs %s --sizes vm" % (name, refs), case.all_tables, refs, "vm")
            attempt(tap, "%s: references and paths, --refs %s" % (name, refs), case.neighbours, refs)
            if answers.turn("%s, %s" % (name, refs), len(REFS)):
                attempt(tap, "%s: --refs %s --sizes mat" % (name, refs), case.all_tables, refs, "mat")
        if dump == 1 and case.first.addresses:
            attempt(tap, name + ": names", case.names, "soft", "vm")


def check_damaged(tap, program, scratch):
    dumps = made.dumps()
    for name in mkheap.damaged():
        try:
            case = Case(program, dumps[name], damaged=True)
        except Refused:
            case = None
        if not case or not case.first.r.count:
            attempt(tap, name + ": refused", refused, program, dumps[name])
            continue
        attempt(tap, name, case.all_tables, "soft", "vm")
        attempt(tap, name + ": references and paths", case.neighbours, "all")
        if case.first.addresses:
            attempt(tap, name + ": names", case.names, "soft", "vm")


def spoiled(data, at, rnd):
    """The dump with other bytes in a header, too many, or too few."""
    length = lambda n: data[:at + 5] + struct.pack(">I", n) + data[at + dumpparts.HEADER:]
    n = rnd.randint(1, 9)
    return (("%d bytes too many" % n, data[:at] + bytes(rnd.randrange(256) for _ in range(n)) + data[at:]),
            ("%d bytes too few" % n, data[:at] + data[at + n:]),
            ("another tag", data[:at] + bytes([rnd.choice([0x0f, 0x55, 0xff, 0x00])]) + data[at + 1:]),
            ("too short", length(rnd.randrange(1, 40))), ("too long", length(rnd.randrange(1 << 16, 1 << 32))))


def check_headers(program, scratch, name, seed):
    """Damage of the header of a record costs that record alone, and of a heap record nothing; no other dump appears."""
    data, rnd, path, bad = mkheap.make(name), random.Random(seed), os.path.join(scratch, "header.hprof"), []
    facts = "info | where field in (objects, dumps) | select field value"

    def told(bytes_):
        mkheap.write(path, bytes_)
        return [tuple(row.values()) for row in program.ask(path, facts, options=("--no-index",)).tables()[0].rows]
    want, places = told(data), [(at, tag) for at, _, tag in dumpparts.records(data)]
    heaps = [p for p in places if p[1] in (0x0c, 0x1c)]
    for at, tag in sorted(set(rnd.sample(heaps, min(4, len(heaps))) + rnd.sample(places[:-2], 6))):
        for how, spoilt in spoiled(data, at, rnd):
            got = told(spoilt)
            # Any bytes may follow the length of a string, and no class or string is an object.
            if got != want and not (tag not in (0x0c, 0x1c) and how == "too long"):
                bad.append("record %#x at %d, %s: %s, not %s" % (tag, at, how, got, want))
    return bad


def check_lengths(program, path, tag):
    """Whatever a heap record says of its length, no other dump appears and all objects are read.  One of them may be lost,
    if it stands alone behind the end that the length says; that is a loss."""
    t, bad = heapodd.Tiny(), []

    def told(length):
        mkheap.write(path, t.full(length=length, tag=tag, end=tag == 0x1c))
        a = program.ask(path, "info | where field in (objects, dumps) | select value", options=("--no-index",))
        return [tuple(row.values()) for row in a.tables()[0].rows], a.code
    n = len(t.body)
    want, status = told(None)
    for length in [*range(0, n, 5), *range(n - 40, n + 40), 2 * n, 1 << 31, (1 << 32) - 1]:
        got, code = told(length)
        missing = int(want[0][0]) - int(got[0][0])
        if len(got) != len(want) or missing not in (0, 1) or (missing > 0 and code != 3) or status == 3:
            bad.append("length %d of %d: %s, status %d" % (length, n, got, code))
    return bad[:8]


def one_graph(program, path, seed):
    mkheap.write(path, mkheap.make("random:%d" % seed))
    case, refs, sizes = Case(program, path), REFS[seed % len(REFS)], SIZES[seed % 2]
    bad = by_definition(case.heap(refs, sizes)) + case.all_tables(refs, sizes)
    if refs != "unreachable":
        bad += case.names(refs, sizes)
    if sizes == "vm":
        bad += case.neighbours(refs)
    return ["seed %d: %s" % (seed, b) for b in bad[:2]]


def check_graphs(tap, program, scratch):
    path = os.path.join(scratch, "case.hprof")
    for first in range(0, GRAPHS, IN_ONE_TEST):
        seeds = [answers.DAY * GRAPHS + k for k in range(first, min(first + IN_ONE_TEST, GRAPHS))]
        attempt(tap, "random graphs %d to %d" % (seeds[0], seeds[-1]),
                lambda: sum((one_graph(program, path, s) for s in seeds), []))


def compared(program, scratch, first, second, refs="soft"):
    """Two dumps beside each other."""
    paths = os.path.join(scratch, "one.hprof"), os.path.join(scratch, "two.hprof")
    for path, data in zip(paths, (first, second)):
        mkheap.write(path, data)
    before, after = oracle.Heap(first, refs), oracle.Heap(second, refs)
    classes, histogram = program.ask(paths[1], "classes | where id > 0 | diff", "histogram | diff",
                                     options=("--no-index", "--refs", refs, paths[0])).tables()
    return heapdiff.compare_classes(before, after, classes) + heapdiff.compare_sums(before, after, histogram)


def rejoined(program, scratch):
    for name, tasks in (("one.txt", 10), ("two.txt", 14)):
        schedmake.main(["", os.path.join(scratch, name), "seed=%d" % tasks, "n=300", "tasks=%d" % tasks, "plain=1"])
    one, two = os.path.join(scratch, "one"), os.path.join(scratch, "two")
    bad = []
    for source, names in (("histogram", ["name"]), ("loaders", ["class"]), ("threads", ["name"]),
                          ("findings", ["kind", "class", "signature"])):
        bad += heapdiff.rejoin(program, one + ".hprof", two + ".hprof", source, names)
    for source, names in (("tasks", ["name"]), ("cpus", ["cpu"])):
        bad += heapdiff.rejoin(program, one + ".txt", two + ".txt", source, names)
    return bad


def check_pairs(tap, program, scratch):
    attempt(tap, "two dumps compared", compared, program, scratch, *heaptwo.pair())
    attempt(tap, "tables of two files compared", rejoined, program, scratch)
    for first, second in (("heap", "zgc"), ("heap", "graal"), ("noleaks", "leaks"), ("lists", "copies"), ("heap", "art")):
        attempt(tap, "%s and %s compared" % (first, second), compared, program, scratch, mkheap.make(first),
                mkheap.make(second))
    attempt(tap, "random graphs compared", lambda: sum(
        (compared(program, scratch, mkheap.make("random:%d" % s), mkheap.make("random:%d" % (s + 1)), REFS[s % len(REFS)])
         for s in range(answers.DAY * PAIRS, (answers.DAY + 1) * PAIRS)), []))


def wrapped(program, path):
    """Data after 4 GiB in one record is read."""
    with open(path, "wb") as f:
        heapodd.wrapped(f)
    if os.stat(path).st_blocks * 512 > 1 << 30:
        return ["the file system has no files with holes"]
    a = program.ask(path, "objects | where addr in (0x7ffff0000, 0x7fffeffc0) | select class, length",
                    options=("--no-index",))
    got = [(r["class"], r["length"]) for t in a.tables() for r in t.rows]
    return [] if got == [("com.example.Node", ""), ("byte[]", str(2 ** 32 - 1))] else ["%s, %s" % (got, a.err)]


def slow(program, path, data, dump):
    """A hostile file is read to its end.  How long that takes is a question of tests/limits.test."""
    with open(path, "wb") as f:
        f.write(data)
    a = program.ask(path, "objects | count", options=("--no-index", "--dump", str(dump)))
    return [] if a.code == (3 if dump == 1 else 2) else ["exit status %d: %s" % (a.code, a.err.strip())]


def check_slow(tap, program, scratch):
    path = os.path.join(scratch, "slow.hprof")
    for name, data in (("places that seem to be classes", heapodd.seeming_classes(5 << 20)),
                       ("classes that overlap", heapodd.overlapping_classes(8 << 20))):
        for dump in (1, 2):
            attempt(tap, "%s, dump %d: read to the end" % (name, dump), slow, program, path, data, dump)
    os.unlink(path)


def check_keys(tap, program, scratch):
    path = os.path.join(scratch, "two.hprof")
    with open(path, "wb") as f:
        f.write(heapodd.two())
    attempt(tap, "keys of dumps", dumpkeys.check, program, scratch, path, 2, 1, "ocd")


def check_large(tap, program, scratch):
    path = os.path.join(scratch, "large.hprof")
    try:
        attempt(tap, "a record longer than its length can say", wrapped, program, path)
    finally:
        os.unlink(path)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    check_sound(tap, program, scratch)
    check_damaged(tap, program, scratch)
    for name in ("heap", "j9", "agent", "old32", "graal"):
        for seed in range(3):
            attempt(tap, "%s: headers of records, seed %d" % (name, seed), check_headers, program, scratch, name, seed)
    for tag in (0x0c, 0x1c):
        attempt(tap, "any length of a record of tag %#x" % tag, check_lengths, program, os.path.join(scratch, "length.hprof"), tag)
    attempt(tap, "parts of an unfinished dump", dumpparts.check, program, scratch)
    attempt(tap, "the program that wrote a dump", machine.check, program, scratch)
    check_graphs(tap, program, scratch)
    check_pairs(tap, program, scratch)
    namecheck.check(tap, program, scratch)
    check_keys(tap, program, scratch)
    check_slow(tap, program, scratch)
    check_large(tap, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
