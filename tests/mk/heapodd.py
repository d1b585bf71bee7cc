# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapodd.py - dumps of other virtual machines, and damaged ones, for mkheap.py."""
import gzip
import struct

from heapfile import BOOLEAN, BYTE, CHAR, INT, LONG, OBJECT, Dump
from heapjava import PRIMS, array_list, boot, chain, hash_map, shop

HOSTILE = (
    b"\x1b[31mred\x1b[0m", b"\x1b]52;c;ZXZpbA==\x07", b"\x9b31m", b"cr\rlf\nend", b"nul\xc0\x80nul", b"tab\ttab",
    b"quote\"'`$(id)\\", b"comma,semi;colon", b"=1+1", b"-e", b"\xe2\x80\xaertl\xe2\x80\xac",
    b"zero\xe2\x80\x8bwidth\xef\xbb\xbf", b"\xff\xfe\x80bad", b"\xed\xa0\x80half", b"\xed\xa0\xbd\xed\xb2\xa9pair",
    b"cut\xe2\x82", b"\xe4\xb8\xad\xe6\x96\x87", b"|pipe | head", b"%s%n%d", b"", b"[", b"[[[[", b"[L", b"[Lx", b"L;",
    b"a" * 3000, b"\xcc\x80" * 500, b"[" * 300 + b"I", b"/", b"//.", b"[]", b"[][]",
)


def android_classes(d):
    def klass(name, sup="java.lang.Object", fields=(), size=0, statics=(), over=0):
        at = d.place(160)
        own = [("$class$classLoader", OBJECT, 0), ("$class$name", OBJECT, 0), ("$class$accessFlags", INT, 1),
               ("$class$shadow$_klass_", OBJECT, 0)]
        if over:
            d.prims(BYTE, bytes(over), at | 1)
            own.insert(0, ("$classOverhead", OBJECT, at | 1))
        return d.klass(name, sup, fields, own + list(statics), size=size, at=at)

    klass("java.lang.Object", None, [("shadow$_klass_", OBJECT), ("shadow$_monitor_", INT)], 8, over=44)
    klass("java.lang.Class", fields=[("name", OBJECT), ("accessFlags", INT)], over=256)
    klass("java.lang.String", fields=[("count", INT), ("hash", INT), ("value", OBJECT)], size=16, over=100)
    for p in PRIMS:
        klass(p + "[]")
    for name in ("java.lang.Object[]", "java.lang.String[]", "byte[][]"):
        klass(name)
    klass("java.lang.ref.Reference", fields=[("queue", OBJECT), ("referent", OBJECT)], size=24)
    for r in "Weak Soft Phantom".split():
        klass("java.lang.ref.%sReference" % r, "java.lang.ref.Reference", size=24)
    klass("java.lang.ref.FinalizerReference", "java.lang.ref.Reference", [("next", OBJECT), ("prev", OBJECT)], 36,
          [("head", OBJECT, 0)])
    klass("java.lang.Thread", fields=[("name", OBJECT), ("priority", INT), ("daemon", BOOLEAN), ("id", LONG)], size=64)
    klass("java.lang.ClassLoader", fields=[("parent", OBJECT), ("runtimeInternalObjects", OBJECT)], size=24)
    klass("dalvik.system.PathClassLoader", "java.lang.ClassLoader", size=24)
    klass("android.content.Context", size=8)
    klass("android.content.ContextWrapper", "android.content.Context", [("mBase", OBJECT)], 12)
    klass("android.app.Activity", "android.content.ContextWrapper", [("mDestroyed", BOOLEAN), ("mWindow", OBJECT)], 28)
    return klass


def art():
    d = Dump("1.0.3", 4, "32", "java", 0x70000000, 900, mixed=True, trace=0)
    d.string_form = "art"
    d.stack(0, 0, [])
    d.part("image")
    klass = android_classes(d)
    d.part("zygote")
    d.free = 0x72000000
    d.root("interned", d.text("interned"))
    d.root("vm internal", d.text("of the zygote"))
    d.part("app")
    d.free = 0x12c00000
    loader = d.obj("dalvik.system.PathClassLoader", runtimeInternalObjects=d.free + 4)
    klass("com.example.MainActivity", "android.app.Activity", [("mBig", OBJECT)], 32)
    d.classes["com.example.MainActivity"].loader = loader
    d.refs("java.lang.Object[]", [d.classes["com.example.MainActivity"].id], loader + 4)
    big = d.prims(BYTE, bytes(20000))
    gone = d.obj("com.example.MainActivity", mDestroyed=True, mBig=big,
                 **{"shadow$_klass_": d.classes["com.example.MainActivity"].id})
    live = d.obj("com.example.MainActivity", mDestroyed=False)
    main = 0
    for name, serial in (("main", 1), ("FinalizerDaemon", 5), ("Binder:1234_1", 9)):
        t = d.obj("java.lang.Thread", name=d.text(name), priority=5, daemon=serial > 1, id=serial)
        d.root("thread", t, serial, -1)
        main = main or t
    soft = d.obj("java.lang.ref.SoftReference", referent=d.text("softly held"))
    weak = d.obj("java.lang.ref.WeakReference", referent=gone)
    fin = d.obj("java.lang.ref.FinalizerReference", referent=d.text("to be finalized"))
    d.static("java.lang.ref.FinalizerReference", "head", fin)
    texts = [d.text(s) for s in ("\u65e5\u672c\u8a9e", "caf\u00e9", "", "plain ascii")]
    keep = d.refs("java.lang.Object[]", texts + [soft, weak, fin])
    leaky = klass("com.example.Leaky", statics=[("activity", OBJECT, gone), ("keep", OBJECT, keep)])
    leaky.loader = loader
    d.root("java frame", live, 1, -1)
    d.root("jni local", live, 1, 0)
    d.root("jni global", keep)
    d.root("sticky class", leaky.id)
    for kind in ("finalizing", "debugger", "reference cleanup", "unknown", "monitor"):
        d.root(kind, d.text(kind))
    d.root("unreachable", d.text("unreachable"))
    d.root("native stack", live, 77)
    d.root("thread block", live, 1)
    d.root("jni monitor", live, 1, -1)
    d.root("jni global", 0x13370000)
    d.add(b"\xc3" + d.id(d.place(64)) + struct.pack(">IIB", 0, 1000, BYTE))
    for i in range(30):
        d.text("filler %d" % i)
    for c in list(d.classes.values()):
        if c.loader == 0:
            d.root("vm internal", c.id)
    return d.build()


def tinyart():
    """As small as an Android dump can be with something of each kind."""
    d = Dump("1.0.3", 4, "32", "java", 0x12c00000, 200, mixed=True, trace=0)
    d.string_form = "art"
    d.stack(0, 0, [])
    d.part("zygote")
    d.klass("java.lang.Object", None, [("shadow$_klass_", OBJECT)], size=8)
    d.klass("java.lang.Class", size=0)
    d.root("vm internal", d.classes["java.lang.Class"].id)
    d.part("app")
    d.klass("java.lang.String", fields=[("count", INT), ("value", OBJECT)], size=16)
    for name in ("byte[]", "java.lang.Object[]"):
        d.klass(name)
    d.klass("com.example.Leaky", statics=[("text", OBJECT, d.text("leaked"))], size=8)
    d.root("sticky class", d.classes["com.example.Leaky"].id)
    keep = d.refs("java.lang.Object[]", [d.text("b"), d.obj("com.example.Leaky", **{"shadow$_klass_": 0x12c00000})])
    d.root("debugger", keep)
    d.root("jni local", keep, 7, -1)
    d.add(b"\xc3" + d.id(d.place(64)) + struct.pack(">IIB", 0, 9, BYTE))
    return d.build()


# ---- other virtual machines ----------------------------------------------------------


def old_classes(d):
    """String and Thread as they were: shared char[], thread names as char[]."""
    d.string_form = "char"
    for name, fields in (("java.lang.Object", ()), ("java.lang.Class", ()),
                         ("java.lang.String", (("value", OBJECT), ("offset", INT), ("count", INT), ("hash", INT))),
                         ("java.lang.ClassLoader", (("parent", OBJECT),)),
                         ("java.lang.Thread", (("name", OBJECT), ("tid", LONG))),
                         ("com.example.Node", (("next", OBJECT), ("v", INT)))):
        d.klass(name, None if name == "java.lang.Object" else "java.lang.Object", fields)
    for p in PRIMS:
        d.klass(p + "[]")
    d.klass("java.lang.Object[]")


def old_texts(d):
    shared = d.prims(CHAR, "shared: main worker".encode("utf-16-be"))
    part = lambda at, n: d.obj("java.lang.String", value=shared, offset=at, count=n)
    bad = d.obj("java.lang.String", value=shared, offset=15, count=2 ** 31 - 1)
    return d.refs("java.lang.Object[]", [part(0, 6), part(8, 4), part(13, 6), bad, d.text("own \u00e9\u20ac")])


def old32():
    d = Dump("1.0.1", 4, "32", "vm", 0x22f00000, 0)
    d.stack(1, 0, [])
    old_classes(d)
    keep = old_texts(d)
    for serial, name in ((1, "main"), (2, "worker")):
        thread = d.obj("java.lang.Thread", name=d.prims(CHAR, name.encode("utf-16-be")), tid=serial)
        d.root("thread", thread, serial, 1)
    d.klass("com.example.Keep", statics=[("texts", OBJECT, keep), ("list", OBJECT, chain(d, 12))])
    d.root("java frame", d.text("local"), 1, -1)
    d.root("monitor", keep)
    for c in d.classes.values():
        d.root("sticky class", c.id)
    return d.build()


def agent():
    """Everything that only the agent writes; ids are not addresses."""
    d = Dump("1.0.1", 4, "32", "java", 200001, 0, step=1, trace=1)
    d.head.append(d.record(0x0e, struct.pack(">IH", 1, 4)))
    d.stack(1, 0, [])
    old_classes(d)
    keep = old_texts(d)
    for serial, name in ((200001, "main"), (200002, "Signal Dispatcher"), (200003, "agent's own")):
        thread = d.obj("java.lang.Thread", tid=serial & 15)
        d.frame(serial, "java.lang.Thread", "run", "()V", "Thread.java", 5)
        d.stack(300000 + serial, serial, [serial])
        d.head.append(d.record(0x0a, struct.pack(">I", serial) + d.id(thread) + struct.pack(">I", 300000 + serial) +
                               d.id(d.name(name)) + d.id(d.name("group")) + d.id(0)))
        d.root("thread", thread, serial, 300000 + serial)
    d.head.append(d.record(0x0b, struct.pack(">I", 200003)))
    d.head.append(d.record(3, struct.pack(">I", 4)))
    d.head.append(d.record(6, struct.pack(">HIIIQQI", 1, 0, 100, 10, 1000, 100, 1) + b"\2" +
                           struct.pack(">IIIIII", 1, 1, 2, 3, 4, 5)))
    d.head.append(d.record(7, struct.pack(">IIQQ", 1, 2, 3, 4)))
    d.head.append(d.record(0x0d, struct.pack(">IIII", 9, 1, 9, 1)))
    for i in range(9):
        d.root("jni global", 900000 + i)
        d.root("unknown", 900100 + i)
    d.klass("com.example.Keep", statics=[("texts", OBJECT, keep), ("list", OBJECT, chain(d, 12))])
    d.root("thread block", chain(d, 3), 200002)
    d.root("java frame", chain(d, 2), 200001, 0)
    for c in d.classes.values():
        d.root("sticky class", c.id)
    return d.build()


def graal():
    d = Dump("1.0.2", 8, "nocoops", start=0x7f0000000000)
    boot(d)
    for name, fields in (("com.example.Node", (("next", OBJECT), ("v", INT))),):
        d.klass(name, fields=fields)
    for i, kind in enumerate(("unknown", "jni global", "monitor", "vm internal")):
        d.root(kind, chain(d, i + 2))
    d.root("native stack", chain(d, 6), 4)
    d.klass("com.example.Image", statics=[("map", OBJECT, hash_map(d, [("k%d" % i, chain(d, i)) for i in range(9)]))])
    d.prims(BYTE, bytes(100))
    return d.build()


def sa():
    """Roots count all threads, traces only those of Java, by numbers of their own."""
    d = Dump(segment=0)
    d.stack(1, 0, [])
    boot(d)
    d.klass("com.example.Node", fields=(("next", OBJECT), ("v", INT)))
    names = ("main", "C1 CompilerThread0", "worker", "Service Thread", "other")
    for serial, name in enumerate(names, 1):
        d.root("thread", d.obj("java.lang.Thread", name=d.text(name), tid=serial), serial, 1)
    for k, name in enumerate(n for n in names if " " not in n):
        d.frame(k + 1, "java.lang.Thread", "of" + name, "()V", "Thread.java", 10 + k)
        d.stack(k + 2, k + 1, [k + 1])
    d.root("jni local", chain(d, 4), 1, 0)
    d.klass("com.example.Keep", statics=[("list", OBJECT, chain(d, 12))])
    d.head.append(d.record(0x2c, b""))
    return d.build()


def j9():
    d = Dump("1.0.2", 8, "nocoops", start=0x80000000)
    boot(d)
    for name in ("<method>", "<native memory>", "<stack frame>"):
        d.klass(name)
    d.klass("com.example.Node", fields=(("next", OBJECT), ("v", INT)))
    for name in ("java.lang.Object", "com.example.Node"):     # each class a second time, as an instance
        d.instance(d.classes[name].id, d.classes["java.lang.Class"].id, d.id(0) * 3)
    d.klass("com.example.Keep", statics=[("list", OBJECT, chain(d, 6)), ("m", OBJECT, d.obj("<method>"))])
    for c in d.classes.values():
        d.root("sticky class", c.id)
    return d.build()


def names():
    """Hostile text wherever a dump has text."""
    d = Dump()
    d.stack(1, 0, [])
    boot(d)
    at = [d.text(raw.decode("utf-8", "replace")) for raw in HOSTILE]
    at += [d.obj("java.lang.String", value=d.prims(BYTE, raw)) for raw in HOSTILE]
    at += [d.obj("java.lang.String", value=d.prims(BYTE, raw), coder=1) for raw in HOSTILE]
    for i, raw in enumerate(HOSTILE):
        c = d.klass(raw, fields=[(raw, OBJECT), (raw, BYTE)], statics=[(raw, OBJECT, at[i])], key="k%d" % i)
        d.root("sticky class", c.id)
        if b"[" not in raw:
            at.append(d.instance(d.place(32), c.id, d.id(at[i]) + b"\1"))
        at.append(d.refs("java.lang.Object[]", [at[-1], 0]))
        d.frame(i + 1, raw, raw, raw, raw, 7)
        d.stack(i + 2, i + 1, [i + 1])
        d.root("thread", d.obj("java.lang.Thread", name=at[i], tid=i), i + 1, i + 2)
        d.root("java frame", at[i], i + 1, 0)
    d.add(struct.pack(">BI", 0xfe, 65) + d.id(d.name(HOSTILE[0])))
    d.root("jni global", d.refs("java.lang.Object[]", at))
    return d.build()


def two():
    """Two dumps that share ids but nothing else; between them an empty one, and threads that come and go."""
    d, e = shop(), Dump(start=0x700000000)
    boot(e)
    e.klass("com.example.Later", statics=[("list", OBJECT, chain_of(e, 30))])
    for c in e.classes.values():
        e.root("sticky class", c.id)
    first, second = (x.segments(x.subs()) for x in (d, e))
    empty = e.record(0x1c, b"") + e.record(0x2c, b"")
    begin = [e.record(0x0a, struct.pack(">I", 900 + i) + e.id(0) + struct.pack(">I", 0) + 3 * e.id(0)) for i in range(5)]
    end = [e.record(0x0b, struct.pack(">I", 900 + i)) for i in range(5)]
    before = begin[0] + begin[1] + begin[2] + end[2]
    between = end[0] + begin[3] + end[3] + begin[4]
    return d.start() + d.names_part() + before + first + empty + between + e.names_part() + second


def chain_of(d, n):
    d.klass("com.example.Node", fields=(("next", OBJECT), ("v", INT)))
    return chain(d, n)


def gz():
    data = shop().build()
    out = b""
    for i in range(0, len(data), 4096):
        member = gzip.compress(data[i:i + 4096], 6, mtime=0)
        if i == 0:
            member = member[:3] + b"\x10" + member[4:10] + b"HPROF BLOCKSIZE=4096\0" + member[10:]
        out += member
    return out


# ---- damage --------------------------------------------------------------------------


class Tiny:
    """A small valid dump in pieces; full() joins them with one of them damaged."""

    def __init__(self, ids=8, extra=None):
        d = self.d = Dump("1.0.2", ids, "coops" if ids == 8 else "32", start=0x700000000 if ids == 8 else 0x20000000)
        for name, sup, fields in (("java.lang.Object", None, ()), ("java.lang.Class", "java.lang.Object", ()),
                                  ("java.lang.ClassLoader", "java.lang.Object", ()),
                                  ("java.lang.String", "java.lang.Object", (("value", OBJECT), ("coder", BYTE))),
                                  ("com.example.Node", "java.lang.Object", (("next", OBJECT), ("v", INT))),
                                  ("byte[]", "java.lang.Object", ()), ("java.lang.Object[]", "java.lang.Object", ())):
            d.klass(name, sup, fields)
        d.root("sticky class", d.classes["java.lang.Object"].id)
        first = chain(d, 12)
        self.keep = d.refs("java.lang.Object[]", [first, d.text("hello tiny"), 0, first])
        d.root("jni global", self.keep)
        self.node = d.classes["com.example.Node"].id
        self.object = d.classes["java.lang.Object"].id
        if extra:
            extra(self)
        self.body = b"".join(d.subs())
        self.head = d.start()
        self.names = d.names_part()

    def full(self, body=None, length=None, tag=0x1c, end=True, head=None, before=b"", after=b""):
        body = self.body if body is None else body
        return (self.head if head is None else head) + before + self.names + self.d.record(tag, body, length) + \
            after + (self.d.record(0x2c, b"") if end else b"")

    def instance(self, at, class_id, data):
        return b"\x21" + self.d.id(at) + struct.pack(">I", 0) + self.d.id(class_id) + struct.pack(">I", len(data)) + data

    def klass(self, at, sup, statics=0, fields=0, loader=0):
        i = self.d.id
        return b"\x20" + i(at) + struct.pack(">I", 0) + i(sup) + i(loader) + i(0) * 4 + \
            struct.pack(">IHHH", 0, 0, statics, fields)

    def array(self, at, n, t, data=b""):
        return b"\x23" + self.d.id(at) + struct.pack(">IIB", 0, n, t) + data


def lengths(t):
    body, n = t.body, len(t.body)
    return {
        "bad_len_zero": t.full(length=0, end=False), "bad_len_zero_dump": t.full(length=0, tag=0x0c, end=False),
        "bad_len_short": t.full(length=n - 7), "bad_len_long": t.full(length=n + 9),
        "bad_len_huge": t.full(length=0xfffffff0, end=False), "bad_cut": t.full()[:-n // 3],
        "bad_cut_head": t.full()[:20], "bad_cut_string": t.full()[:len(t.head) + 50],
        "bad_no_end": t.full(end=False), "bad_empty": b"", "bad_only_head": t.head,
        "bad_top_tag": t.full(before=t.d.record(0x77, b"x" * 33)), "bad_gap": t.full(after=bytes(13)),
        "bad_sub_tag": t.full(body + b"\x99" + bytes(20), after=t.d.record(0x1c, t.instance(0x5000, t.node, bytes(12)))),
        "bad_ids": t.full(head=t.head[:19] + b"\0\0\0\2" + t.head[23:]),
        "bad_version": t.full(head=b"JAVA PROFILE 9.9.9" + t.head[18:]),
        "bad_string": t.full(before=t.d.record(1, b"\0\0\0")), "bad_zip": b"PK\3\4" + t.full()[4:200],
        "bad_frames": t.full(before=t.d.record(5, struct.pack(">III", 5, 1, 0x7fffffff)) + t.d.record(4, b"\0" * 5)),
        "bad_gz_cut": gzip.compress(t.full(), mtime=0)[:-200], "bad_gz_tail": gzip.compress(t.full(), mtime=0) + b"garbage",
    }


def contents(t):
    at = 0x7ffff0000
    i, body = t.d.id, t.body
    more = {
        "bad_dup_ids": body, "bad_no_class": t.instance(at, 0xdead, bytes(12)),
        "bad_short_fields": t.instance(at, t.node, b"\1\2\3"), "bad_long_fields": t.instance(at, t.node, bytes(40)),
        "bad_array_len": t.array(at, 0x7fffffff, BYTE, bytes(64)), "bad_array_len2": t.array(at, 0xffffffff, LONG, bytes(64)),
        "bad_array_type": t.array(at, 2, 3, bytes(64)), "bad_super_self": t.klass(at, at),
        "bad_super_cycle": t.klass(at, at + 64) + t.klass(at + 64, at) + t.instance(at + 128, at, b""),
        "bad_super_gone": t.klass(at, 0x9999) + t.instance(at + 64, at, bytes(8)),
        "bad_roots": b"\1" + i(0x777777) + i(1) + b"\x08" + i(0x888888) + struct.pack(">II", 9, 9) +
                     b"\3" + i(t.keep) + struct.pack(">II", 1234, 3),
        "bad_class_is_object": t.instance(at, t.keep, bytes(8)), "bad_super_is_object": t.klass(at, t.keep),
        "bad_loader_self": t.klass(at, t.object, loader=at), "bad_loader_gone": t.klass(at, t.object, loader=0x5555) +
                           t.instance(at + 64, at, b""),
        "bad_counts": t.klass(at, t.object, 0xffff, 0xffff), "bad_same_id": t.klass(t.keep, t.object) + t.array(t.node, 4, BYTE, b"abcd"),
        "bad_far": t.instance(8, t.node, i(2 ** (8 * t.d.ids) - 8) + bytes(4)) +
                   t.instance(2 ** (8 * t.d.ids) - 8, t.node, i(8) + bytes(4)) + b"\xff" + i(8),
        "bad_odd": b"".join(t.instance(at + k, t.node, i(at + k - 1) + bytes(4)) for k in range(5)) + b"\xff" + i(at + 4),
        "bad_even": b"".join(t.instance(at + 2 * k, t.node, i(at + 2 * k - 2) + bytes(4)) for k in range(5)) + b"\xff" + i(at + 8),
        "bad_null_id": t.instance(0, t.node, bytes(12)), "bad_field_types": b"",
    }
    return {k: t.full(body + v) for k, v in more.items() if k != "bad_field_types"}


def wrapped(f):
    """Into a file: a HEAP_DUMP of more than 4 GiB, whose length is what 32 bits leave of it; most of it is a hole."""
    t = Tiny()
    at, n = 0x7ffff0000, 2 ** 32 - 1
    array, last = t.array(at, n, BYTE), t.instance(at - 64, t.node, t.d.id(at) + bytes(4))
    f.write(t.full(t.body + array, len(t.body + array + last) + n & 0xffffffff, 0x0c, False))
    f.seek(n, 1)
    f.write(last)


def seeming_classes(n):
    """n bytes behind the heap where every tenth may begin a class; after 65535 constants it turns out to be none."""
    t = Tiny()
    return t.full(t.body + (b"\x20\1\x40\1\x09\xff\xff\1\1\x09" * (n // 10 + 1))[:n])


def overlapping_classes(n):
    """n bytes of short segments; in each begins a class with 65288 fields, which reaches over thousands of others."""
    t = Tiny()
    out = [t.head, t.names]
    for i in range(n // 36):
        s = bytearray(t.d.record(0x1c, bytes([4]) + bytes(12) + b"\x20" + struct.pack(">Q", 64 * i + 64) + bytes(5)))
        s[2] = s[11] = s[20] = s[29] = 8            # the types of its fields, of which the third is half of their number
        s[19] = 0xff
        out.append(bytes(s))
    return b"".join(out) + t.d.record(0x2c, b"")


def without(t, *tags):
    """The dump without the sub-records of some tags."""
    return t.full(b"".join(s for s in t.d.subs() if s[0] not in tags))


def only_stacks():
    """A dump that was cut before the thread objects, which some machines write last."""
    d = shop()
    body = d.segments([s for s in d.subs() if s[0] != 8])
    return d.start() + d.names_part() + body


def damaged():
    """name -> bytes; each is damaged in the one way its name says."""
    t = Tiny()
    out = lengths(t)
    out.update(contents(t))
    out["bad_no_classes"] = without(t, 0x20)
    out["bad_no_roots"] = without(t, 5, 1)
    out["bad_no_threads"] = only_stacks()
    out["bad_no_objects"] = without(t, 0x21, 0x22, 0x23)
    out["bad_no_names"] = t.head + t.d.record(0x1c, t.body) + t.d.record(0x2c, b"")
    pool = Tiny(4).full()
    out["odd_tiny32"] = pool
    out["odd_tiny64"] = t.full()
    return out


MAKERS = {"art": art, "tinyart": tinyart, "old32": old32, "agent": agent, "graal": graal, "sa": sa, "j9": j9, "names": names,
          "two": two, "gz": gz}
