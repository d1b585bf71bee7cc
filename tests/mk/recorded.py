#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""recorded.py [seed=N] FOLDER - a heap dump and recordings of the same program: app.hprof, rec.jfr and, of a seed, rec2.jfr.

The story: a shop whose page cache keeps what templates render.  Byte arrays are made by both, most by the templates, which keep none;
class Plugin has two loaders; a lambda is called otherwise in each file; of Temp nothing is left in the dump.  Events of buffers tell
the same once more and must not be added.  A seed is any mixture of classes, sites and events, also such that only some files have.
"""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jfrfile  # noqa: E402
from heapfile import BYTE, OBJECT, Dump  # noqa: E402
from heapjava import boot  # noqa: E402
from jfrfile import Chunk, java_class, method, stack, thread  # noqa: E402

jfrfile.TYPES["jdk.types.OldObject"] = [jfrfile.Field(f) for f in ("address:long", "type:java.lang.Class*", "description:S")]
OLD = "jdk.OldObjectSample"
jfrfile.TYPES[OLD] = [f for f in jfrfile.TYPES[OLD] if f.name != "object"] + [jfrfile.Field("object:jdk.types.OldObject*")]

SAMPLE, BUFFER, OUTSIDE = "jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB"
SECOND = 1000000000


def frame(text, kind="JIT compiled"):
    owner, name = text.rsplit(".", 1) if "." in text else ("", text)
    return method(owner.replace(".", "/"), name), 12, kind


def frames(*names):
    return [x if isinstance(x, tuple) else frame(x) for x in names]


def allocated(chunk, at, kind, name, where, n, truncated=False):
    """An event about n bytes of a class, made by frames, the innermost first."""
    size = {"weight": n} if kind == SAMPLE else {"allocationSize": n} if kind == OUTSIDE else {"allocationSize": 16, "tlabSize": n}
    chunk.event(kind, startTime=chunk.start + at, eventThread=thread(7, "main", 1), stackTrace=None if where is None else stack(where, truncated),
                objectClass=java_class(name), **size)


def stayed(chunk, at, name, where, number):
    chunk.event(OLD, startTime=chunk.start + at, eventThread=thread(7, "main", 1), stackTrace=None if where is None else stack(where),
                allocationTime=chunk.start + at // 2, objectSize=24,
                object=None if name is None else ("jdk.types.OldObject", number * 8, java_class(name), "old %d" % number))


# ---- the story ------------------------------------------------------------------------

RUN = frames("org.shop.Web.serve", "org.shop.Web.run", "java.lang.Thread.run")
PUT = frames("java.util.Arrays.copyOf", "org.shop.PageCache.put") + RUN
RENDER = frames("java.util.Arrays.copyOf", "java.lang.StringBuilder.append", "org.shop.Template.render") + RUN
LOAD = frames("org.shop.PageCache.load") + RUN


def story():
    c = Chunk()
    for i in range(40):
        allocated(c, i * SECOND // 8, SAMPLE, "[B", RENDER, 500000)
        allocated(c, i * SECOND // 8, SAMPLE, "[B", PUT, 200000)
        allocated(c, i * SECOND // 8, BUFFER, "[B", RENDER, 500000)
    for i in range(8):
        allocated(c, i * SECOND, SAMPLE, "org/shop/Page", LOAD, 40000)
        allocated(c, i * SECOND, SAMPLE, "org/shop/Web$$Lambda$88+0x00007f99d8007a08/1790421142", RUN, 3000)
        allocated(c, i * SECOND, SAMPLE, "org/shop/Temp", RENDER[2:], 70000)
        stayed(c, 10 * SECOND, "org/shop/Page" if i % 4 else "[B", LOAD if i % 2 else PUT, i)
    allocated(c, SECOND, SAMPLE, "org/shop/plugin/Plugin", frames("org.shop.plugin.Loader.start") + RUN, 5000)
    allocated(c, SECOND, SAMPLE, "java/lang/String", frames("java.lang.String.concat", "java.lang.Thread.run"), 9000)
    allocated(c, SECOND, SAMPLE, "[[Lorg/shop/Page;", RUN, 1200, truncated=True)
    allocated(c, SECOND, SAMPLE, "[Lorg/shop/Web$$Lambda$88+0x00007f99d8007a08/1790421142;", RUN, 600)
    stayed(c, 10 * SECOND, None, LOAD, 99)
    return story_dump(), [c.checkpoint().metadata().bytes(duration=10 * SECOND)]


def story_dump():
    d = Dump()
    d.stack(1, 0, [])
    boot(d)
    d.klass("org.shop.Page", fields=[("html", OBJECT)])
    d.klass("org.shop.PageCache", fields=[("pages", OBJECT)])
    d.klass("org.shop.Page[]")
    d.klass("org.shop.Page[][]")
    d.klass(b"org/shop/Web$$Lambda$91+0x00007fa198001800")
    d.klass(b"[Lorg/shop/Web$$Lambda$91+0x00007fa198001800;")
    pages = [d.obj("org.shop.Page", html=d.prims(BYTE, bytes(40000 + i))) for i in range(120)]
    d.root("jni global", d.obj("org.shop.PageCache", pages=d.refs("org.shop.Page[]", pages)), 1)
    for n in (1, 2):
        own = d.reserve("java.lang.ClassLoader")
        d.klass("org.shop.plugin.Plugin", fields=[("data", OBJECT)], loader=own, key="plugin%d" % n)
        d.obj("java.lang.ClassLoader", own, name=d.text("plugin-%d" % n))
        d.root("jni global", d.obj("plugin%d" % n, data=d.prims(BYTE, bytes(50 * n))), n)
    return rooted(d)


def rooted(d):
    for c in d.classes.values():
        if c.loader == 0:
            d.root("sticky class", c.id)
    return d.build()


# ---- any mixture -------------------------------------------------------------------------

NAMES = ("org/shop/Page", "org/shop/Order", "org/shop/Order$Line", "java/lang/Integer", "[B", "[I", "[[J", "[Lorg/shop/Page;", "[[Lorg/shop/Page;", "[Lorg/shop/Made+0x0000000800c03000;", "Plain",
         "org/shop/Made+0x0000000800c03000", "org/shop/Made+0x0000000800c07000/77", "org/shop/Web$$Lambda$12/0x00000008000c1040",
         "org/shop/Web$$Lambda/0x0000000022045a10", "org/shop/Web$$Lambda$4.0x00007fa198001800", "jdk/internal/reflect/GeneratedMethodAccessor17",
         "jdk/internal/reflect/GeneratedMethodAccessor3", "org/shop/Order2024", "sunny/Day", "javafun/A")
FRAMES = ("org.shop.Web.serve", "org.shop.Cache.put", "java.util.HashMap.put", "java.util.Arrays.copyOf", "javax.swing.Box.add", "sun.misc.Unsafe.park",
          "jdk.internal.misc.VM.init", "com.sun.proxy.Handler.invoke", "sunny.Day.shine", "javafun.A.b", "Plain.main", "org.shop.Web$$Lambda$5.get", "noclass")
NATIVE = (("libjvm.so.alloc", "C++"), ("mmap", "Kernel"), ("java.lang.Object.clone", "Native"))


def any_stack(r):
    """Or none; one of async-profiler has frames of C, which the kernel's tell."""
    if r.randrange(9) == 0:
        return None
    out = [frame(r.choice(FRAMES), r.choice(("Interpreted", "JIT compiled", "Inlined"))) for _ in range(r.randrange(6))]
    for _ in range(r.choice((0, 0, 1, 2))):
        out.insert(r.randrange(len(out) + 1), frame(*r.choice(NATIVE)))
    return out


def any_recording(r):
    kinds = r.choice(((SAMPLE,), (BUFFER, OUTSIDE), (SAMPLE, BUFFER, OUTSIDE), (OUTSIDE,), ()))
    names, places = r.sample(NAMES, r.randrange(1, len(NAMES))), [any_stack(r) for _ in range(9)]
    out = b""
    for n in range(r.choice((1, 1, 2))):
        c = Chunk(r, start_ns=1700000000 * SECOND + n * 20 * SECOND)
        for i in range(r.randrange(80)):
            if kinds and r.randrange(4):
                allocated(c, r.randrange(20 * SECOND), r.choice(kinds), r.choice(names), r.choice(places), r.randrange(1, 1 << r.randrange(2, 40)), r.randrange(7) == 0)
            else:
                stayed(c, r.randrange(20 * SECOND), r.choice(names + [None]), r.choice(places), i)
        c.event("profiler.LiveObject", startTime=c.start, objectClass=java_class("org/shop/Page"), allocationSize=999, stackTrace=stack(RUN))
        out += c.checkpoint().metadata().bytes()
    return out


def mixture(r):
    d = Dump()
    d.stack(1, 0, [])
    boot(d)
    for i, name in enumerate(r.sample(NAMES, r.randrange(len(NAMES)))):
        for n in range(r.choice((1, 1, 1, 2))):
            if name.startswith("[") or n > 0:
                continue
            d.klass(name.encode() if "+" in name or "$$" in name else name.replace("/", "."), fields=[("data", OBJECT)], key="%d.%d" % (i, n))
            d.root("jni global", d.obj("%d.%d" % (i, n), data=d.prims(BYTE, bytes(r.randrange(90)))), 1)
    return rooted(d), [any_recording(r) for _ in range(2)]


def main():
    seed = int(sys.argv[1].partition("=")[2]) if len(sys.argv) > 2 else None
    dump, recordings = story() if seed is None else mixture(random.Random(seed))
    for name, data in [("app.hprof", dump)] + list(zip(("rec.jfr", "rec2.jfr"), recordings)):
        with open(os.path.join(sys.argv[-1], name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
