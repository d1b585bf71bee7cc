# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Heap dumps of one program, taken one after the other.

usage: heapgrowth.py FOLDER [DUMPS]

Each round adds ADDED objects to a list of class Loop, which is the leak.  A cache fills once, in the first round; a pool grows,
shrinks and grows again.  Class Text has one array that becomes longer, and nothing else: bytes that grow without objects.
0.hprof is the first.
"""
import os
import struct
import sys

from heapfile import BYTE, OBJECT, Dump
from heapjava import array_list, boot, hash_map

PACKAGE = "com.example."
ADDED, CACHED = 40, 30
POOL = 10, 60, 20, 80
START = 1700000000000


def items(d, name, n, size):
    return [d.obj(PACKAGE + name, data=d.prims(BYTE, bytes(size))) for _ in range(n)]


def make(k, time=None, added=ADDED, spare=0):
    """Dump number k, from 0."""
    d = Dump(start=0x700000000 + 0x1000000 * (k % 7))
    boot(d)
    for i in range(spare):
        d.root("jni global", d.text("spare %d" % i), 99)
    for name in ("Order", "Page", "Buffer"):
        d.klass(PACKAGE + name, fields=[("data", OBJECT)])
    loop = array_list(d, items(d, "Order", 5 + added * k, 100), spare=3 + k % 3)
    cache = hash_map(d, [("key %d" % i, x) for i, x in enumerate(items(d, "Page", CACHED if k > 0 else 2, 50))])
    pool = array_list(d, items(d, "Buffer", POOL[k % len(POOL)], 200))
    for name, field, value in (("Loop", "orders", loop), ("Cache", "pages", cache), ("Pool", "buffers", pool),
                               ("Text", "all", d.prims(BYTE, bytes(1000 * (k + 1))))):
        d.klass(PACKAGE + name)
        d.classes[PACKAGE + name].statics.append([field, OBJECT, value])
    for c in d.classes.values():
        if c.loader == 0:
            d.root("sticky class", c.id)
    data = bytearray(d.build())
    at = data.index(b"\0") + 5
    data[at:at + 8] = struct.pack(">Q", START + 60000 * k if time is None else time)
    return bytes(data)


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def main():
    for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 4):
        write(sys.argv[1], "%d.hprof" % k, make(k))


if __name__ == "__main__":
    main()
