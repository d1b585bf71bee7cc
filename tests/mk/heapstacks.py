# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapstacks.py - dumps with objects that are larger than their fields say, for mkheap.py: stacks of virtual threads, fields and padding of the VM."""
from heapfile import BOOLEAN, INT, LONG, OBJECT, Dump, up
from heapjava import array_list, boot

# The bytes that a VM adds to the fields of each class, in all its instances together.
ADDED = {"java.lang.Thread": 256, "java.lang.Module": 8, "java.util.concurrent.atomic.Striped64$Cell": 256, "java.util.Padded": 128}


def stacks(layout="coops", start=0x700000000):
    d = Dump(layout=layout, start=start)
    boot(d)
    for name, fields in (("java.lang.Module", (("layer", OBJECT), ("name", OBJECT))), ("java.util.concurrent.atomic.Striped64$Cell", (("value", LONG),)),
                         ("java.util.Padded", (("value", LONG),)), ("java.util.Twice", (("value", LONG),)), ("java.util.Spread", (("value", LONG),)),
                         ("jdk.internal.vm.StackChunk", (("parent", OBJECT), ("size", INT), ("sp", INT), ("bottom", INT)))):
        d.klass(name, fields=fields)
    loader = d.obj("java.lang.ClassLoader")
    d.klass("com.example.Followed", fields=(("value", LONG),), loader=loader)
    d.klass("com.example.Worker", "java.lang.Thread", (("job", OBJECT), ("busy", BOOLEAN)))
    d.klass("com.example.Chat", statics=[("all", OBJECT, 0), ("<resolved_references>", OBJECT, 0), ("opened", LONG, 7), ("quiet", BOOLEAN, 1)])
    objects = [loader] + [d.prims(BOOLEAN, bytes(37 * k)) for k in range(40)]

    def more(n, name, bytes_more, **values):
        for _ in range(n):
            objects.append(d.obj(name, **values))
            d.place(bytes_more)

    more(5, "java.lang.Thread", ADDED["java.lang.Thread"])
    # Its own fields lie behind the padding of its superclass.
    end = up(d.fields_end(d.classes["java.lang.Thread"]), 8) + ADDED["java.lang.Thread"]
    behind = up(end + d.ref + 1, 8) - d.instance_bytes(d.classes["com.example.Worker"])
    more(1, "com.example.Worker", behind)
    more(4, "java.lang.Module", ADDED["java.lang.Module"])
    more(2, "java.util.concurrent.atomic.Striped64$Cell", ADDED["java.util.concurrent.atomic.Striped64$Cell"])
    more(3, "java.util.Padded", ADDED["java.util.Padded"])
    more(2, "java.util.Twice", 128)             # two show nothing of a class that is not known
    for k in range(4):
        more(1, "java.util.Spread", 8 * k + 8)  # the distances do not agree
    more(6, "com.example.Followed", 24)         # of the program: another object has died behind each
    for size in (0, 1, 31, 32, 33, 64, 200, 1000, -1, 321):
        objects.append(d.obj("jdk.internal.vm.StackChunk", size=size))
        words = max(size, 0)
        base = up(d.fields_end(d.classes["jdk.internal.vm.StackChunk"]) + d.ref + 14, 8)
        d.place(base + 8 * words + (words * (8 // d.ref) + 63) // 64 * 8 - d.instance_bytes(d.classes["jdk.internal.vm.StackChunk"]))
    keep = array_list(d, objects)
    d.static("com.example.Chat", "all", keep)
    for c in d.classes.values():
        d.root("sticky class", c.id)
    return d.build()


MAKERS = {"stacks": stacks, "stacks_zgc": lambda: stacks("zgc", 0x40000000000), "stacks_compact": lambda: stacks("compact")}
