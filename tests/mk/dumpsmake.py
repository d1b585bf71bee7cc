# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""dumpsmake.py FOLDER: dumps of all kinds, good, damaged, and no dumps at all, for the tests of many dumps."""
import gzip
import os
import random
import sys
from pathlib import Path

import mkheap

GOOD = ["heap", "art", "leaks", "leaks19", "noleaks", "cursors", "gallery", "lists", "names", "graal", "old32", "tinyart"]


def fill(folder):
    """Dumps of all kinds."""
    folder.mkdir()
    dice = random.Random(21)
    for i, name in enumerate(GOOD):
        data = mkheap.make(name)
        if i % 2:
            (folder / (name + ".hprof")).write_bytes(data)
        else:
            (folder / (name + ".hprof.gz")).write_bytes(gzip.compress(data, 1, mtime=0))
    heap = mkheap.make("heap")
    (folder / "twin.hprof").write_bytes(heap)
    (folder / "sub").mkdir()
    (folder / "sub" / "twin.hprof").write_bytes(heap)
    (folder / "cut.hprof").write_bytes(heap[:len(heap) * 2 // 3])
    (folder / "packed_cut.hprof.gz").write_bytes(gzip.compress(heap, mtime=0)[:-9000])
    (folder / "head.hprof").write_bytes(heap[:40])
    (folder / "garbage.hprof").write_bytes(dice.randbytes(5000))
    (folder / "garbage.hprof.gz").write_bytes(dice.randbytes(5000))
    (folder / "empty.hprof").write_bytes(b"")
    (folder / "text.hprof").write_bytes(b"hello, world\n" * 10)
    (folder / "line\nfeed\033[31m.hprof").write_bytes(mkheap.make("leaks"))
    # Before eyes the first two are one name, and the third reads as the first one does in rows.
    for name in b"bytes\xfe.hprof", b"bytes\xff.hprof", b"bytes\\xfe.hprof":
        (folder / os.fsdecode(name)).write_bytes(mkheap.make("tinyart"))
    # Zeros behind a head, and without one.
    zeros = gzip.compress(bytes(1 << 20), 9, mtime=0)
    (folder / "bomb.hprof.gz").write_bytes(gzip.compress(heap[:31], mtime=0) + zeros * 100)
    (folder / "zeros.hprof.gz").write_bytes(zeros * 5000)
    (folder / "folder.hprof").mkdir()
    os.mkfifo(folder / "fifo.hprof")
    os.symlink("nowhere", folder / "link.hprof")
    (folder / "shut.hprof").write_bytes(heap)
    (folder / "shut.hprof").chmod(0)
    # These are nobody's dumps.
    (folder / ".hidden.hprof").write_bytes(heap)
    (folder / "heap.hprof.part").write_bytes(heap)
    (folder / "notes.txt").write_bytes(b"x")


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
