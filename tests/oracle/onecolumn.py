#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""onecolumn.py BUILD - a column asked for alone is the same as among all columns, as TAP.

A query computes only what it uses, so a column that does not name what it needs is wrong when it is alone.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

DEMO = os.path.join(HERE, "..", "..", "demo")
FILES = "hang.log.gz", "demo.hprof.gz", "shop.jfr.gz", "recipes.pftrace.gz", "sched.txt.gz", "demo.trace.gz", "money.ofx.gz"
ROWS = 60


def table(program, path, query):
    a = program.run(["--no-index", "-o", "tsv", "-e", query, path])
    return [line.split("\t") for line in a.out.split("\n")[:-1]] if a.code in (0, 1, 3) else None


def sources(program, path):
    rows = table(program, path, "help all | where kind = source | select item")
    return sorted({r[0] for r in rows[1:]} - {"help", "overview"})


def check_source(program, path, source):
    every = table(program, path, "%s | head %d" % (source, ROWS))
    bad = []
    for i, name in enumerate(every[0] if every and len(every) > 1 else []):
        alone = table(program, path, "%s | head %d | select %s" % (source, ROWS, name))
        if alone is None or [r[0] for r in alone] != [r[i] for r in every]:
            bad.append("%s: %s, not %s" % (name, alone and alone[1:3], [r[i] for r in every[1:3]]))
    return bad


def main(argv):
    tap, program = Tap(), answers.Program(os.path.join(argv[1], "icecore"))
    for name in FILES:
        path = os.path.join(DEMO, name)
        bad = []
        for source in sources(program, path):
            if answers.turn("column: %s %s" % (name, source), 3):
                bad += ["%s | %s" % (source, what) for what in check_source(program, path, source)]
        attempt(tap, name, lambda bad=bad: bad)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
