#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""bounds.py BUILD SCRATCH - a cache of the program is bounded if its bytecode shows a limit, as TAP.

A map that extends LinkedHashMap is bounded by a method removeEldestEntry that does more than return a constant.  A
field that equals the count is a limit if it is final.  A saved index without the bytecode must not answer with it.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import classmake  # noqa: E402
import heaptroubles  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402

LRU, SERVICE = "com/shop/Lru", "com/shop/Lru2"
ELDEST = ("removeEldestEntry", "(Ljava/util/Map$Entry;)Z")
MAYBE, BOUNDED, NOTHING = "may be bounded by", "the cache is bounded by", ""
# Dump; fields and methods of the class, None: no bytecode; what the reason ends with.
CASES = (
    ("lru", LRU, None, (MAYBE, "com.shop.Lru.removeEldestEntry")),
    ("lru", LRU, ((), ((*ELDEST, 17),)), (BOUNDED, "com.shop.Lru.removeEldestEntry")),
    ("lru", LRU, ((), ((*ELDEST, 11),)), (BOUNDED, "com.shop.Lru.removeEldestEntry")),
    ("lru", LRU, ((), ((*ELDEST, 10),)), (NOTHING, "")),
    ("lru", LRU, ((), ((*ELDEST, 2),)), (NOTHING, "")),
    ("lru", LRU, ((), ()), (NOTHING, "")),
    ("lru", "com/shop/Other", ((), ()), (MAYBE, "com.shop.Lru.removeEldestEntry")),
    ("limited", SERVICE, None, (MAYBE, "com.shop.Lru2.maxEntries = 120")),
    ("limited", SERVICE, ((("entries", "Ljava/util/Map;", 0), ("maxEntries", "I", classmake.FINAL)), ()),
     (BOUNDED, "com.shop.Lru2.maxEntries = 120")),
    ("limited", SERVICE, ((("entries", "Ljava/util/Map;", classmake.FINAL), ("maxEntries", "I", 0)), ()),
     (MAYBE, "com.shop.Lru2.maxEntries = 120")),
    ("limited", SERVICE, ((("entries", "Ljava/util/Map;", 0),), ()), (MAYBE, "com.shop.Lru2.maxEntries = 120")),
)
QUERY = "findings accumulation 'bounded cache' | head 1 | select severity why"


def ask(program, dump, code, *options):
    classes = ["--classes", code] if code else []
    a = program.run([*options, "--quiet", "-o", "tsv", *classes, "-e", QUERY, dump])
    lines = a.out.split("\n")
    if a.code != 0 or len(lines) < 2:
        raise ValueError("status %d: %s" % (a.code, a.err.strip()))
    return lines[1].split("\t")


def wrong(row, how, what):
    severity, why = row
    if how == NOTHING:
        return ["says: " + why] * ("bounded" in why or severity != "warning")
    end = "%s %s" % (how, what)
    return ["%s: %s" % (severity, why)] * (not why.endswith(end) or (severity == "note") != (how == BOUNDED))


def check(program, dumps, scratch):
    bad = []
    for i, (dump, name, made, want) in enumerate(CASES):
        code = os.path.join(scratch, "bounds%d.class" % i) if made else ""
        if made:
            with open(code, "wb") as f:
                f.write(classmake.class_file(name, "java/util/LinkedHashMap", *made))
        bad += ["%s, %s: %s" % (dump, made, x) for x in wrong(ask(program, dumps[dump], code, "--no-index"), *want)]
    return bad


def check_index(program, dumps, scratch):
    """The same dump by turns without and with the bytecode, each with the index of the one before."""
    code, bad = os.path.join(scratch, "bounds_index.class"), []
    with open(code, "wb") as f:
        f.write(classmake.class_file(LRU, "java/util/LinkedHashMap", (), ((*ELDEST, 17),)))
    for turn in ("", code, "", code):
        want = (BOUNDED if turn else MAYBE, "com.shop.Lru.removeEldestEntry")
        bad += wrong(ask(program, dumps["lru"], turn), *want)
    return bad


def main(argv):
    build, scratch = argv[1:]
    program, tap, dumps = answers.program_of(build), Tap(), {}
    for name in ("lru", "limited"):
        dumps[name] = os.path.join(scratch, "bounds_%s.hprof" % name)
        mkheap.write(dumps[name], heaptroubles.make(name))
    attempt(tap, "%d limits with and without bytecode" % len(CASES), check, program, dumps, scratch)
    attempt(tap, "an index without the bytecode is not one with it", check_index, program, dumps, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
