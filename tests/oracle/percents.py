#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""percents.py BUILD SCRATCH - all percentages of bytes of a heap are of one whole, as TAP.

The whole is the reachable heap and the native memory that belongs to it.  Answers, the overview, the outline and the
screens of dumps with and without native memory are compared with it.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heaptroubles  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402

PARTS = "live_bytes", "direct_bytes", "zlib_bytes", "registered_bytes"
# Query, and the columns with the bytes and their percentage.
ASKED = (
    ("findings | where kind != 'finalizer queue' | select retained percent", ("retained",), "percent"),
    ("dominators | head 20 | select retained percent", ("retained",), "percent"),
    ("names | select bytes native percent", ("bytes", "native"), "percent"),
    ("components | select retained share", ("retained",), "share"),
    ("components class | select retained share", ("retained",), "share"),
    ("overview | where line in ('largest owner', accumulation, 'held by', largest, 'largest class', 'top package') | select value share",
     ("value",), "share"),
)
GROWTH = "growth | select retained percent"


def rows_of(program, paths, query, *options):
    a = program.run(["--no-index", *options, "-o", "tsv", "-e", query, *paths])
    if a.code not in (0, 1):
        raise ValueError("%s: status %d: %s" % (query, a.code, a.err.strip()))
    lines = [line.split("\t") for line in a.out.splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[1:]] if lines else []


def whole_of(program, path, *options):
    said = {r["field"]: r["value"] for r in rows_of(program, [path], "info", *options)}
    return sum(int(said[p]) for p in PARTS), int(said["percent_of"])


def check_answers(program, path, wants_native, *options):
    whole, said = whole_of(program, path, *options)
    live = int(next(r["value"] for r in rows_of(program, [path], "info | where field = live_bytes", *options)))
    bad = [] if whole == said and (whole > live) == wants_native else ["percent_of %d, should be %d" % (said, whole)]
    checked = 0
    for query, parts, percent in ASKED + ((GROWTH, ("retained",), "percent"),):
        for r in rows_of(program, [path] * (1 + (query == GROWTH)), query, *options):
            have, want = float(r[percent]), 100 * sum(int(r[p]) for p in parts) / whole
            checked += 1
            if abs(have - want) > 1e-6 * max(want, 1):
                bad.append("%s: %r, should be %.6f" % (query, r, want))
    return bad[:10] + ([] if checked > 20 else ["only %d percentages" % checked])


def check_screens(program, path, scratch):
    """The same object on the panes, in the outline and in the answers."""
    keys = os.path.join(scratch, "percents.keys")
    with open(keys, "w", encoding="ascii") as f:
        f.write("size 120x24\nkey 3\nframe\nkey 4 Down\nframe\nkey m Down\nframe\n")
    a = program.run(["--no-index", "--keys", keys, path])
    largest = rows_of(program, [path], "dominators | head 1 | select percent")[0]["percent"]
    name = rows_of(program, [path], "names | where depth = 1 | top 1 percent | select percent")[0]["percent"]
    text = program.run(["--no-index", "--text", path]).out
    got = {
        "Dominators": re.search(r"(?m)^> +[\d.]+ \w+ +([\d.]+)%", a.out),
        "Icicle by fields": re.search(r"(?m)retained [\d.]+ \w+ ([\d.]+)%.*objects", a.out),
        "Icicle": re.search(r"(?m)retained [\d.]+ \w+ ([\d.]+)%.*dominates", a.out),
        "outline": re.search(r"(?m)^ +[\d.]+% +[\d.]+ \w+ +all\n +([\d.]+)%", text),
    }
    return ["%s: %s, should be %s" % (pane, m and m[1], want) for pane, m in got.items()
            for want in ("%.1f" % float(name if pane == "Icicle by fields" else largest),) if m is None or m[1] != want]


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.program_of(build)
    for name, native in (("heap", False), ("leaks", False), ("bitmaps35", True)):
        path = os.path.join(scratch, name + ".hprof")
        mkheap.write(path, mkheap.make(name))
        attempt(tap, "%s: one whole in all answers" % name, check_answers, program, path, native)
        attempt(tap, "%s: the same on the screens" % name, check_screens, program, path, scratch)
    for name in ("direct", "local_direct", "zlib", "segments"):
        path = os.path.join(scratch, name + ".hprof")
        mkheap.write(path, heaptroubles.make(name))
        attempt(tap, "%s: one whole in all answers" % name, check_answers, program, path, True)
        attempt(tap, "%s: the same with strong references" % name, check_answers, program, path, True, "--refs", "strong")
        attempt(tap, "%s: the same on the screens" % name, check_screens, program, path, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
