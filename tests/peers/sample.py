#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sample.py BUILD - icecore against stored answers of Perfetto's trace processor about small made files, as TAP.

sample.tsv has a line for each file of MADE that both programs read: its name, the sum of its bytes and the rows of each statement of
tracer.py.  RENEW=1 makes it anew; trace processor comes from where tracer.py takes it.  Differences are rows of tracer.tsv; those of
one of these files alone begin with made/.
"""
import json
import os
import re
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
sys.path.insert(1, HERE)

import answers  # noqa: E402
import made  # noqa: E402
import tracer  # noqa: E402
from check import Tap  # noqa: E402
from explained import Explained  # noqa: E402

STORED = os.path.join(HERE, "sample.tsv")
LONGEST = 12000     # bytes of answers about a file
# Those that are random, or packed by whatever library is there.
LEFT_OUT = re.compile("(ends|clocks|filled|torch)-[0-9]|.*(compressed|-gz|zip)")
# Each maker with its arguments; None: each file that it writes, otherwise the name of its output.
MADE = [
    ("odd", ("perfettomake.py", "odd", "."), None), ("cases", ("perfettocases.py", "."), None), ("chrome", ("chromemake.py", "."), None),
    *[("json", ("jsonmake.py", what), what + ".json") for what in ("args", "called", "events", "clock", "nano", "gpu_waits")],
    *[("sched", ("schedmake.py", "-", "style=" + style), style + ".txt") for style in ("odd", "three", "raw", "many")],
    *[("perf", ("perfmake.py", what), what + ".txt") for what in ("small", "events", "lost", "lines", "headers")]]


def paths():
    """(name, path) of each made file."""
    for folder, maker, name in MADE:
        at = made.files(*maker, **({} if name is None else {"output": name}))
        for file in sorted(os.listdir(at)) if name is None else [name]:
            if not LEFT_OUT.match(file):
                yield "made/%s/%s" % (folder, file), os.path.join(at, file)


def sum_of(path):
    with open(path, "rb") as f:
        return "%08x" % zlib.crc32(f.read())


def renew(build, program):
    trace_processor, lines = tracer.TraceProcessor(tracer.node(build), tracer.ui_of(build)), []
    for name, path in paths():
        rows = trace_processor.rows(path) if tracer.both_read(tracer.Icecore(program, path)) else None
        if rows is None:
            continue
        text = json.dumps({table: some for table, some in rows.items() if some}, separators=(",", ":"))
        if len(text) <= LONGEST:
            lines.append("%s\t%s\t%s\n" % (name, sum_of(path), text))
    trace_processor.end()
    with open(STORED, "w", encoding="utf-8") as f:
        f.write("# Answers of Perfetto's trace processor v52 about files that the programs of tests/mk make (sample.py).\n" + "".join(lines))


def main(argv):
    build = argv[1]
    tap, program, explained = Tap(), answers.Program(os.path.join(build, "icecore")), Explained(os.path.join(HERE, "tracer.tsv"))
    if "RENEW" in os.environ:
        renew(build, program)
    found = dict(paths())
    with open(STORED, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            name, known, text = line.rstrip("\n").split("\t")
            if name not in found or sum_of(found[name]) != known:
                tap.ok(name, ["its maker makes another file now: RENEW=1"])
                continue
            theirs = {**{table: [] for table in tracer.SQL}, **json.loads(text)}
            bad, tables, _ = tracer.compare(explained, name, tracer.Icecore(program, found[name]), theirs)
            tap.ok("%s: %d tables" % (name, tables), bad)
    tap.ok("rows of tracer.tsv about made files explain something", explained.unused(lambda row: row["file"].startswith("made/")))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
