# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Two heap dumps of one program, before.hprof and after.hprof, in a folder.

usage: heaptwo.py FOLDER

Class Kept has 3 objects, then 9, with byte[100] each; Same 4 in both; Gone 2, then none and no class; Fresh 5, only in the
second; Shrunk 6, then 1.  Class Plugin is loaded by one loader, then by two, whose objects are other ones in each dump.
Threads main and two named worker, then main and one.
"""
import os
import sys

from heapfile import BYTE, OBJECT, Dump
from heapjava import array_list, boot

PACKAGE = "com.example."
BEFORE = dict(Kept=3, Same=4, Gone=2, Shrunk=6)
AFTER = dict(Same=4, Fresh=5, Shrunk=1, Kept=9)


def plugin(d, n):
    own = d.reserve("java.lang.ClassLoader")
    d.klass(PACKAGE + "Plugin", fields=[("data", OBJECT)], loader=own, key="plugin%d" % n)
    d.obj("java.lang.ClassLoader", own, name=d.text("plugin-%d" % n))
    d.root("jni global", d.obj("plugin%d" % n, data=d.prims(BYTE, bytes(50 * n))), n)


def make(counts, plugins, workers, start, spare):
    d = Dump(start=start)
    d.stack(1, 0, [])
    boot(d)
    for i in range(spare):
        d.root("jni global", d.text("spare %d" % i), 99)
    for name, n in counts.items():
        d.klass(PACKAGE + name, fields=[("data", OBJECT)])
        made = [d.obj(PACKAGE + name, data=d.prims(BYTE, bytes(100))) for i in range(n)]
        d.classes[PACKAGE + name].statics.append(["all", OBJECT, array_list(d, made)])
    for n in range(1, plugins + 1):
        plugin(d, n)
    for i, name in enumerate(["main"] + ["worker"] * workers):
        thread = d.obj("java.lang.Thread", name=d.text(name), tid=i + 1, priority=5)
        d.stack(i + 2, i + 1, [])
        d.root("thread", thread, i + 1, i + 2)
    for c in d.classes.values():
        if c.loader == 0:
            d.root("sticky class", c.id)
    return d.build()


def pair():
    return make(BEFORE, 1, 2, 0x700000000, 0), make(AFTER, 2, 1, 0x500000000, 7)


def main():
    for name, data in zip(("before.hprof", "after.hprof"), pair()):
        with open(os.path.join(sys.argv[1], name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
