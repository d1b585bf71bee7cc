# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Heap dumps that were not finished, with their parts beside them (see src/load/dumpparts.c), for heapcheck.py."""
import os
import struct

import mkheap

HEADER = 9      # bytes in front of each record: tag, time, length
ROWS = "objects | select addr class shallow"


def records(data):
    """Where each record of a dump begins and ends, and its tag."""
    at = data.index(b"\0") + 13
    while at < len(data):
        end = at + HEADER + struct.unpack_from(">I", data, at + 5)[0]
        yield at, end, data[at]
        at = end


def asked(program, path, *queries):
    a = program.ask(path, *queries, options=("--no-index",))
    return a, [[tuple(row.values()) for row in t.rows] for t in a.tables()]


def put(scratch, base, parts):
    """The path of a dump with these parts: number, bytes."""
    path = os.path.join(scratch, "unfinished.hprof")
    for n in range(4):
        if os.path.exists("%s.p%d" % (path, n)):
            os.unlink("%s.p%d" % (path, n))
    mkheap.write(path, base)
    for n, data in parts:
        mkheap.write("%s.p%d" % (path, n), data)
    return path


def check(program, scratch):
    data, bad = mkheap.make("heap"), []
    places = list(records(data))
    front = b"".join([data[:places[0][0]]] + [data[a:b] for a, b, tag in places if tag not in (0x1c, 0x2c)])
    segments = [data[a:b] for a, b, tag in places if tag == 0x1c]
    half = len(segments) // 2
    first, second = b"".join(segments[:half]), b"".join(segments[half:])
    path = put(scratch, data, [])
    _, (want,) = asked(program, path, ROWS)
    _, (late,) = asked(program, put(scratch, front + second, []), ROWS)

    def expect(what, base, parts, facts, rows=None):
        a, (info, got) = asked(program, put(scratch, base, parts), "info | where field in (parts, loss.parts) | select field value", ROWS)
        if a.code != 3 or dict(info) != {k: str(v) for k, v in facts.items()} or (rows is not None and sorted(got) != sorted(rows)):
            bad.append("%s: %d, %s, %d objects of %d; %s" % (what, a.code, info, len(got), len(want), a.err))
        return got
    expect("two parts", front, [(0, first), (1, second)], {"parts": 2}, want)
    expect("a part that is missing", front, [(1, first), (3, second)], {"parts": 2, "loss.parts": 2}, want)
    expect("killed while the parts were joined", front + first[:-1], [(0, first), (1, second)], {"parts": 2}, want)
    expect("the first part is in the file", front + first, [(1, second)], {"parts": 1}, want)
    before = {r[0] for r in want}
    for cut in range(1, min(len(segments[half - 1]), 400), 7):
        got = set(expect("%d bytes less" % cut, front, [(0, first[:-cut]), (1, second)], {"parts": 2}))
        if not {r[0] for r in late} <= {r[0] for r in got} <= before or (cut == 1 and len(got) + 1 < len(before)):
            bad.append("%d bytes less: other objects, %d" % (cut, len(got)))
        before = {r[0] for r in got}
    a = program.ask(put(scratch, front, [(0, first)]) + ".p0", "info", options=("--no-index",))
    if a.code != 5 or "a part of an unfinished heap dump" not in a.err:
        bad.append("a part alone: %d, %s" % (a.code, a.err))
    a = program.ask(put(scratch, front, []), "findings", options=("--no-index",))
    if a.code != 3 or "no objects: the dump is unfinished" not in a.err or "The dump has no objects." not in a.err or "accumulation" in a.err:
        bad.append("no parts: %d, %s" % (a.code, a.err))
    return bad
