#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mkheap.py NAME FILE | list | all FOLDER - heap dumps for the tests, the same bytes every time.

heap      HotSpot 17, 8-byte ids, compressed references.  A shop (com.example.*) with a planted leak:
          static com.example.Cache.sessions, a HashMap of 60 Sessions with byte[2048] each, holds most.
          com.example.User: id, name, email, age, active, rating, friends (ArrayList); alice (age 34) to
          henry, each a friend of the next two; the email "unknown@example.com" eight times.
          com.example.Graph: statics diamond (left and right share one Node), ring, list (100 Nodes).
          com.example.AllTypes: a field and a static of each type, arrays of each type and depth.
          com.example.Base and Derived both declare val.  com.example.Texts: strings of all kinds.
          com.example.Holder: soft, weak, phantom and finalizer references, chained; a missing object.
          com.example.Plugin twice, by two loaders; one loader is only held by a static of com.example.Registry.
          Threads main (4 frames), worker-1 (3), worker-2 (0), a VirtualThread without a name; locals.
          Garbage: 20 Nodes in a ring and an array that nothing refers to.
art       Android 9: 4-byte ids, heaps image, zygote and app, all kinds of Android sub-records, fabricated ids,
          classes among the objects; com.example.MainActivity leaked by static com.example.Leaky.activity.
tinyart   the same in small, for damage at every byte; odd_tiny64 and odd_tiny32 likewise, of HotSpot.
old32     1.0.1, 4-byte ids, one HEAP_DUMP record, char[] strings with offset and count that share an array,
          thread names as char[], no end record.
agent     ids that are counters, dotted names, START_THREAD, allocation sites, roots of absent objects.
graal     no sticky classes, no loaders, roots of all kinds of objects.
sa        one HEAP_DUMP with 8-byte ids; every thread names the empty trace, traces are numbered otherwise.
j9        class objects as instances of java.lang.Class, pseudo classes such as <method>.
nocoops zgc compact oldcoops narrow narrow_tight nocoops_tight  as heap, with other layouts.
aligned gaps slack  objects of nine classes, aligned to 16; with something dead behind nine of ten; behind some, always behind
          java.util.Lease, and behind java.lang.Module, to which the VM adds a pointer.
split     as heap, each sub-record in a segment of its own.     two        two dumps in one file, and an empty one.
gz        as heap, in gzip members of 4096 bytes, the first with the comment of HotSpot.
names     hostile names of classes, fields, strings, threads, methods, files and heaps.
case_*    leaks of Android applications as people reported them in public, one each: see heapcases.py
leaks leaks19 noleaks leaks_bad   an Android application that leaks, or not: see heapleaks.py
cursors   Cursors of an Android application, closed, in use and leaked: see heapcursors.py
resources files, sockets, locks and the like, released, in use and leaked: see heapresources.py
bad_*     damaged in one way each; see damaged().
bitmaps*  Android dumps with bitmaps of each API level (10 .. 35), hostile ones, see heapbitmaps.py.
lists lists7 lists_art lists_bad copies copies6  collections, and duplicates: see heapcopies.py
elements elements_old elements_bad  collections whose elements tell their order: see heapelements.py
long      classes with names of 60 characters and more: see heaplong.py
gallery   a photo application that leaks: the demo of a phone, see heapgallery.py.
suspects_*  a server of some megabytes, healthy or with one trouble, see heapsuspects.py; not among all.
random:N  a small random graph of seed N, in a random form.

Sub-record facts: the agent's manual of the JDK, heapDumper.cpp of HotSpot, hprof.cc of ART.
"""
import os
import sys

import heapbitmaps
import heapcases
import heapcopies
import heapcursors
import heapelements
import heapgallery
import heapleaks
import heaplong
import heapodd
import heaprandom
import heapresources
import heapstacks
import heapsuspects
from heapjava import shop, sized
from heapodd import damaged

MAKERS = dict(heapodd.MAKERS)
MAKERS.update({
    "heap": lambda: shop().build(),
    "nocoops": lambda: shop(layout="nocoops", start=0x7f0000000000).build(),
    "zgc": lambda: shop(layout="zgc", start=0x40000000000).build(),
    "compact": lambda: shop(layout="compact").build(),
    "narrow": lambda: shop(layout="narrow").build(),
    "narrow_tight": lambda: shop(layout="narrow-tight").build(),
    "nocoops_tight": lambda: shop(layout="nocoops-tight", start=0x7f0000000000).build(),
    "aligned": lambda: sized(layout="compact", align=16),
    "gaps": lambda: sized(layout="zgc", start=0x40000000000, gaps=.9),
    "slack": lambda: sized(gaps=.04, slack=True),
    "oldcoops": lambda: shop(layout="coops-old").build(),
    "split": lambda: shop(segment=1).build(),
})
MAKERS.update(heapbitmaps.MAKERS)
MAKERS.update(heapcases.MAKERS)
MAKERS.update(heapcopies.MAKERS)
MAKERS.update(heapcursors.MAKERS)
MAKERS.update(heapresources.MAKERS)
MAKERS.update(heapelements.MAKERS)
MAKERS.update(heapgallery.MAKERS)
MAKERS.update(heapleaks.MAKERS)
MAKERS.update(heaplong.MAKERS)
MAKERS.update(heapstacks.MAKERS)


def make(name):
    if name.startswith("random:"):
        return heaprandom.make(int(name[7:]))
    if name in heapsuspects.SUSPECTS:
        return heapsuspects.SUSPECTS[name]()
    return MAKERS[name]() if name in MAKERS else damaged()[name]


def every():
    """All except the random ones: name -> bytes."""
    out = {name: maker() for name, maker in MAKERS.items()}
    out.update(damaged())
    return out


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def main(argv):
    if argv[1:] == ["list"]:
        print("\n".join(every()))
    elif argv[1] == "all":
        os.makedirs(argv[2], exist_ok=True)
        for name, data in every().items():
            write(os.path.join(argv[2], name + ".hprof"), data)
    else:
        write(argv[2], make(argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
