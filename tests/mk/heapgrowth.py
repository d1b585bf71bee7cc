# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Heap dumps of one program, taken one after the other.

usage: heapgrowth.py FOLDER [DUMPS]

Each round adds ADDED objects to a list of class Loop, which is the leak.  A cache fills once, in the first round; a pool grows,
shrinks and grows again.  An index, if there is one, has its rows in two maps, under keys of their own.  Class Text has one array that becomes longer, and nothing else: bytes that grow without objects.
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


def index(d, rows, names, size, key):
    """Two maps of rows; the second one has keys beside those of the rows."""
    for name, fields in (("Row", ("data",)), ("Index", ("byId", "byName"))):
        d.klass(PACKAGE + name, fields=[(f, OBJECT) for f in fields])
    made = items(d, "Row", rows, size)

    def keyed(values):
        return d.obj("java.util.HashMap", size=len(values), table=d.refs("java.util.HashMap$Node[]", [
            d.obj("java.util.HashMap$Node", key=d.prims(BYTE, bytes(key)), value=v) for v in values]))
    return d.obj(PACKAGE + "Index", byId=keyed(made), byName=keyed(made + made[:1] * names))


def make(k, time=None, added=ADDED, spare=0, indexed=()):
    """Dump number k, from 0; indexed: rows, other names, bytes of each row, of each key."""
    d = Dump(start=0x700000000 + 0x1000000 * (k % 7))
    boot(d)
    for i in range(spare):
        d.root("jni global", d.text("spare %d" % i), 99)
    for name in ("Order", "Page", "Buffer"):
        d.klass(PACKAGE + name, fields=[("data", OBJECT)])
    loop = array_list(d, items(d, "Order", 5 + added * k, 100), spare=3 + k % 3)
    cache = hash_map(d, [("key %d" % i, x) for i, x in enumerate(items(d, "Page", CACHED if k > 0 else 2, 50))])
    pool = array_list(d, items(d, "Buffer", POOL[k % len(POOL)], 200))
    whole = (("Indexes", "one", index(d, *indexed)),) if indexed else ()
    for name, field, value in whole + (("Loop", "orders", loop), ("Cache", "pages", cache), ("Pool", "buffers", pool),
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
