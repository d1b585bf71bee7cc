#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""queries.py [--big] [BUILD] - what words of the query language cost, beside plainer ones over the same rows.

Makes a trace of 4 million records (20 with --big), a dump of one array of a million objects (10 with --big) and one of a map of a
million entries.  Runs are interleaved on files with a finished index; times are those of the processor, without the start of the
program, and medians.
"""
import os
import statistics
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heaps  # noqa: E402

RUNS = 5
ENTRIES = 1000000

# Stages over rows in batches, with the nanoseconds that a row may take.
OF_OBJECTS = (("where retained > 1m | count", 3), ("where class = 'java.lang.Object' | count", 3), ("where class ~ /Object/ | count", 3),
              ("group class", 5), ("group reachable", 5), ("sum retained", 3), ("sort -retained | head 10", 3))
OF_RECORDS = (("where action = exit | count", 15), ("group method", 25), ("group tid", 20))


class Queries(heaps.Heaps):
    def medians(self, path, *asks):
        """Seconds of the processor of each, in turns; what they need is in the index before."""
        self.fresh()
        for query in asks:
            self.spent((query,), path)
        times = [[self.spent((query,), path)[1] for query in asks] for _ in range(RUNS)]
        return [max(statistics.median(t), 1e-4) for t in zip(*times)]

    def ratio(self, what, path, query, base, seconds=None, times=None):
        a, b = self.medians(path, query, base)
        self.row(what, a, "s", seconds)
        self.row("  beside '%s'" % base, a / b, "x", times)

    def per_row(self, path, source, rows, stages):
        """Nanoseconds of a row, of each of some stages, without the opening of the file."""
        asks = ["%s | %s" % (source, stage) for stage, _ in stages]
        opening, *times = self.medians(path, "info | count", *asks)
        for ask, seconds, (_, goal) in zip(asks, times, stages):
            self.row("a row of '%s'" % ask, max(seconds - opening, 0) / rows * 1e9, "ns", goal)

    def options(self, what, path, args, base, goal):
        """A run with options, in percent of one with others: on the wall, of two threads; the fastest of each."""
        times = [[self.measured("--no-index", *a, path)[0] for a in (args, base)] for _ in range(2 * RUNS)]
        a, b = [min(t) for t in zip(*times)]
        self.row(what, 100 * (a - b) / b, "%", goal)


# ---- a map ---------------------------------------------------------------------------

OBJECT, MAP, NODE, NODES, THE_MAP, TABLE, FIRST = 0x1000, 0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x10000
TEXTS = ("java.lang.Object", "java.util.HashMap", "java.util.HashMap$Node", "[Ljava.util.HashMap$Node;", "size", "table", "hash", "key",
         "value", "next")


def class_dump(address, superclass, fields):
    size = sum(4 if t == 10 else 8 for _, t in fields)
    return struct.pack(">BQIQQQQQQIHHH", 0x20, address, 1, superclass, 0, 0, 0, 0, 0, size, 0, 0, len(fields)) + b"".join(
        struct.pack(">QB", TEXTS.index(n) + 1, t) for n, t in fields)


def write_map(path, n):
    """A HashMap of n entries, each with a key and in a bucket of its own."""
    objects = [class_dump(OBJECT, 0, ()), class_dump(MAP, OBJECT, (("size", 10), ("table", 2))),
               class_dump(NODE, OBJECT, (("hash", 10), ("key", 2), ("value", 2), ("next", 2))), class_dump(NODES, OBJECT, ()),
               struct.pack(">BQ", 5, NODES), struct.pack(">BQQ", 1, THE_MAP, 1),
               struct.pack(">BQIQIIQ", 0x21, THE_MAP, 1, MAP, 12, n, TABLE)]
    nodes = range(FIRST, FIRST + 32 * n, 32)
    objects.append(struct.pack(">BQIIQ", 0x22, TABLE, 1, n, NODES) + b"".join(struct.pack(">Q", a) for a in nodes))
    node, key = struct.Struct(">BQIQIIQQQ"), struct.Struct(">BQIQI")
    objects += [node.pack(0x21, a, 1, NODE, 28, i, a + 16, a + 16, 0) + key.pack(0x21, a + 16, 1, OBJECT, 0) for i, a in enumerate(nodes)]
    body = b"".join(objects)
    with open(path, "wb") as f:
        f.write(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 8, 0))
        for i, text in enumerate(TEXTS):
            f.write(struct.pack(">BIIQ", 1, 0, 8 + len(text), i + 1) + text.encode())
        for serial, address in enumerate((OBJECT, MAP, NODE, NODES)):
            f.write(struct.pack(">BIIIQIQ", 2, 0, 24, serial + 1, address, 1, serial + 1))
        f.write(struct.pack(">BII", 0x1c, 0, len(body)) + body + struct.pack(">BII", 0x2c, 0, 0))
    return True


# ---- rows ------------------------------------------------------------------------------


def main(argv):
    rest = [a for a in argv[1:] if a != "--big"]
    big = len(rest) < len(argv) - 1
    if len(rest) > 1 or any(a.startswith("-") for a in rest):
        sys.stderr.write(__doc__)
        return 2
    build = rest[0] if rest else "."
    dumps = heaps.Dumps(build, os.path.join(build, "bench-dumps"))
    records, objects = (20000000, 10000000) if big else (4000000, 1000000)
    with tempfile.TemporaryDirectory(prefix="icecore-bench-") as scratch:
        b = Queries(build, scratch)
        print("%-66s %10s %-4s %10s" % ("", "measured", "", "goal"))
        trace = b.generate(records, heaps.bench.SHAPE)
        b.ratio("group with p99 of %d M rows" % (records // 1000000), trace, "records | group tid: p99 wall", "records | group tid: sum wall",
                times=1.5)
        b.per_row(trace, "records", records, OF_RECORDS)
        b.options("--report: the SHA-256 of %d MB" % (os.path.getsize(trace) >> 20), trace, ("--report",), ("--report", "--no-hash"), 5)
        os.unlink(trace)
        array = dumps.shape("array", objects)
        b.ratio("in (QUERY) of %d M ids" % (objects // 1000000), array, "objects | where id in (objects | select id) | count",
                "objects | where id > 0 | count", seconds=objects / 1e7)
        b.per_row(array, "objects", objects, OF_OBJECTS)
        b.ratio("merge_paths of %d M objects" % (objects // 1000000), array, "objects | merge_paths | count",
                "objects @%d | path | count" % objects)
        entries = dumps.keep("map-%d.hprof" % ENTRIES, lambda path: write_map(path, ENTRIES))
        b.ratio("entries of a map of 1 M", entries, "collections | entries | count", "objects | where shallow > 0 | count",
                seconds=0.5)
    print("%d goal%s missed" % (b.missed, "" if b.missed == 1 else "s"))
    return 0 if b.missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
