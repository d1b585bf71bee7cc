#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pictures.py [BUILD] - what the export of 200 bitmaps costs.

Makes a heap dump of an Android program with icons, flat pictures and
photographs, and measures the sink png beside libpng alone, which writes the
same pixels with the same settings in the same run.  Runs are interleaved,
medians are shown.
"""
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))
import bench  # noqa: E402
from heapfile import BOOLEAN, BYTE, INT, LONG, OBJECT, Dump  # noqa: E402
from heapjava import boot  # noqa: E402

RUNS = 5
LIMIT = 1.5                   # of the time of libpng
SIDES = ((60, 48, 48), (60, 96, 96), (40, 256, 256), (30, 720, 400), (10, 1080, 1920))
FIELDS = (("mBuffer", OBJECT), ("mNativePtr", LONG), ("mWidth", INT), ("mHeight", INT), ("mRecycled", BOOLEAN),
          ("mRequestPremultiplied", BOOLEAN))


def photograph(rnd, width, height):
    """A gradient with noise; opaque."""
    noise = int.from_bytes(b"\x07\x07\x07\x00" * width, "little")
    rows = []
    for y in range(height):
        base = b"".join(bytes((40 + (x + y) * 180 // (width + height), 30 + x * 200 // width,
                               60 + y * 150 // height, 255)) for x in range(0, width, 8))
        base = b"".join(base[i:i + 4] * 8 for i in range(0, len(base), 4))[:4 * width]
        sum_ = int.from_bytes(base, "little") + (int.from_bytes(rnd.randbytes(4 * width), "little") & noise)
        rows.append(sum_.to_bytes(4 * width, "little"))
    return b"".join(rows)


def drawing(rnd, width, height):
    """A frame of one colour with a transparent corner, lines like text inside."""
    colour = bytes((rnd.randrange(256), rnd.randrange(256), rnd.randrange(256), 255))
    plain, edge = b"\xff\xff\xff\xff", colour * width
    rows = []
    for y in range(height):
        if y < 4 or y >= height - 4:
            rows.append(edge)
        elif y % 12 < 4 and y > 12:
            words = b"".join(colour * n + plain * 3 for n in (rnd.randrange(1, 6) for _ in range(width // 6)))
            rows.append((colour * 4 + words + plain * width)[:4 * (width - 4)] + bytes(16))
        else:
            rows.append(colour * 4 + plain * (width - 8) + bytes(16))
    return b"".join(rows)


def make_dump(path):
    rnd = random.Random(7)
    d = Dump(segment=1 << 20)
    boot(d)
    d.klass("android.graphics.Bitmap", fields=FIELDS)
    d.klass("android.graphics.drawable.BitmapDrawable", fields=(("mBitmap", OBJECT),))
    held = []
    for n, width, height in SIDES:
        for i in range(n):
            pixels = (photograph if i % 2 else drawing)(rnd, width, height)
            at = d.obj("android.graphics.Bitmap", mBuffer=d.prims(BYTE, pixels), mNativePtr=0x1000 + i, mWidth=width,
                       mHeight=height, mRequestPremultiplied=1)
            held.append(d.obj("android.graphics.drawable.BitmapDrawable", mBitmap=at))
    d.klass("com.example.Gallery", statics=[("all", OBJECT, d.refs("java.lang.Object[]", held))])
    for c in list(d.classes.values()):
        d.root("sticky class", c.id)
    with open(path, "wb") as f:
        f.write(d.build())


class Pictures(bench.Bench):
    def spent(self, *args):
        """Seconds on the wall and of the processor."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = self.timed(*args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def export(self, path, index):
        out = self.fresh("pictures")
        return self.spent("--index", index, "-o", "tsv", "-e", "bitmaps | png '%s'" % out, path)

    def fresh(self, name):
        out = os.path.join(self.scratch, name)
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        return out

    def alone(self, program):
        """(bytes of pixels, wall, processor) of libpng with what was exported last."""
        names = sorted(os.listdir(os.path.join(self.scratch, "pictures")))
        files = [os.path.join(self.scratch, "pictures", n) for n in names if n.endswith(".png")]
        p = subprocess.run([program, self.fresh("alone"), *files], stdout=subprocess.PIPE, check=True)
        if len(files) != sum(n for n, _, _ in SIDES):
            raise RuntimeError("%d pictures" % len(files))
        return [float(x) for x in p.stdout.split()]


def medians(pairs):
    return [statistics.median(x) for x in zip(*pairs)]


def main(argv):
    if len(argv) > 2 or any(a.startswith("-") for a in argv[1:]):
        sys.stderr.write(__doc__)
        return 2
    build = argv[1] if len(argv) > 1 else "."
    program = os.path.join(build, "tests/bench/png")
    with tempfile.TemporaryDirectory(prefix="icecore-bench-") as scratch:
        b = Pictures(build, scratch)
        path, index = os.path.join(scratch, "pictures.hprof"), b.fresh("index")
        make_dump(path)
        b.timed("--index", index, "-e", "bitmaps | count", path)
        opened, exported, alone = [], [], []
        for _ in range(RUNS):
            opened.append(b.spent("--index", index, "-e", "bitmaps | count", path))
            exported.append(b.export(path, index))
            alone.append(b.alone(program))
        opened, exported, alone = medians(opened), medians(exported), medians(alone)
        print("%-66s %10s %-4s %10s" % ("", "measured", "", "goal"))
        b.row("200 bitmaps of %.0f MiB: libpng alone" % (alone[0] / (1 << 20)), alone[1] * 1000, "ms")
        b.row("    opening the dump with its index", opened[0] * 1000, "ms")
        b.row("    export, opening taken off", (exported[0] - opened[0]) * 1000, "ms")
        b.row("    ... of libpng alone", (exported[0] - opened[0]) / alone[1], "x", LIMIT)
        b.row("    ... of libpng alone, processor time", (exported[1] - opened[1]) / alone[2], "x")
    print("%d goal%s missed" % (b.missed, "" if b.missed == 1 else "s"))
    return 0 if b.missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
