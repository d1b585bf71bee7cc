#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""v2.py REV IN OUT [key=value ...] - writes the trace IN again as V2.

REV is a, b or c.  Keys: clock=dual|wall|thread-cpu, stream=0|1,
freq=HZ of the counter of revision c, block=RECORDS that a thread gathers
before they are written as one block, summary=0|1.  IN is read by the oracle.
"""
import os
import struct
import sys

DEFAULTS = dict(clock="dual", stream="1", freq="1000000000", block="300", summary="1")


def sleb(v):
    out = bytearray()
    while True:
        low = v & 127
        v >>= 7
        if (v == 0 and not low & 64) or (v == -1 and low & 64):
            out.append(low)
            return bytes(out)
        out.append(low | 128)


def uleb(v):
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def header(version, start=77, counter=0, freq=0):
    return (b"SLOW" + struct.pack("<HQQQ", version, start, counter, freq)).ljust(32, b"\0")


def thread(tid, name):
    return struct.pack("<BIH", 0, tid, len(name)) + name


def method(rev, mid, line):
    if rev == "a":
        return struct.pack("<BIH", 1, mid >> 2, len(line)) + line
    return struct.pack("<BQH", 1, mid, len(line)) + line


def summary(version, clock, rev, elapsed, records, pid):
    unit = "usec" if rev == "a" else "nsec"
    s = ("*version\n%d\ndata-file-overflow=false\nclock=%s\nelapsed-time-%s=%d\n"
         "num-method-calls=%d\nclock-call-overhead-nsec=100\nvm=art\npid=%d\n*end\n" % (
             version, clock, unit, elapsed, records, pid)).encode()
    return struct.pack("<BH", 3, len(s)) + s


def block(rev, clock, tid, recs):
    """recs: (method id, action, cpu, wall) in the units of the file."""
    out = bytearray()
    head = b""
    word = wall = cpu = mid = 0
    if rev == "a":
        m, action, cpu, wall = recs[0]
        first = m | action
        head = struct.pack("<BII", 2, tid, first)
        if clock != "wall":
            head += struct.pack("<I", cpu)
        if clock != "thread-cpu":
            head += struct.pack("<I", wall)
        head += struct.pack("<H", len(recs) - 1)
        recs = recs[1:]
    for m, action, c, w in recs:
        if rev == "c":
            out += sleb((w << 2 | action) - wall)
            wall = w << 2 | action
            if clock == "dual":
                out += sleb(c - cpu)
            if action == 0:
                out += sleb(m - mid)
                mid = m
        else:
            out += sleb((m | action) - (first if rev == "a" else word))
            word = m | action
            if clock != "thread-cpu":
                out += uleb(w - wall)
            if clock != "wall":
                out += uleb(c - cpu)
            wall = w
        cpu = c
    if rev == "a":
        return head + struct.pack("<H", len(out)) + out
    return (struct.pack("<BI", 2, tid) + struct.pack("<I", len(recs))[:3] +
            struct.pack("<I", len(out)) + out)


def convert(rev, t, opts):
    clock, freq = opts["clock"], int(opts["freq"])
    version = 5 if clock == "dual" else 4
    scale = 1 if rev == "a" else 1000 if rev == "b" else freq // 1000000
    out = [header(version | (0xf0 if opts["stream"] == "1" else 0),
                  counter=12345 if rev == "c" else 0, freq=freq if rev == "c" else 0)]
    ids = {}
    for mid in t.methods:         # addresses are far apart and above 32 bits
        ids[mid] = mid if rev == "a" else 0x7f0012340000 + mid * 40
    for tid, name in t.threads:
        out.append(thread(tid, name.encode("utf-8", "surrogateescape")))
    lines = []
    for mid, (cls, name, sig, src, line) in t.methods.items():
        s = "\t".join((cls, name, sig, src)) + ("\t%d" % (mid >> 2) if rev == "c" else "")
        lines.append(method(rev, ids[mid], s.encode("utf-8", "surrogateescape") + b"\n"))
    late = len(lines) // 2        # half of the methods are declared after their use
    out += lines[late:]
    full = {}
    last = 0
    for tid, mid, action, wall, cpu in t.recs:
        q = full.setdefault(tid, [])
        ns = 1 if rev == "a" else 1000
        c, w = cpu * ns, wall * scale
        if clock == "thread-cpu":
            w = 0
        q.append((ids[mid], action, c, w))
        last = max(last, w)
        if len(q) == int(opts["block"]):
            out.append(block(rev, clock, tid, q))
            q.clear()
    for tid, q in full.items():
        if q:
            out.append(block(rev, clock, tid, q))
    out += lines[:late]
    if opts["summary"] == "1":
        out.append(summary(version, clock, rev, last + 5, len(t.recs), t.threads[-1][0]))
    return b"".join(out)


def main(argv):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
    import trace as oracle
    if len(argv) < 4 or argv[1] not in ("a", "b", "c"):
        sys.stderr.write(__doc__)
        return 2
    opts = dict(DEFAULTS)
    opts.update(a.split("=", 1) for a in argv[4:])
    with open(argv[3], "wb") as f:
        f.write(convert(argv[1], oracle.load(argv[2]), opts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
