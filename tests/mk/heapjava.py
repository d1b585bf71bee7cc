# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapjava.py - the classes of a Java runtime, and the shop: a small program at one moment, for mkheap.py."""
from heapfile import (BOOLEAN, BYTE, CHAR, DOUBLE, FLOAT, INT, LONG, OBJECT, SHORT, TYPES, WIDTH, Dump)

PRIMS = tuple(TYPES)
JAVA = (
    ("java.lang.Object", None, ()),
    ("java.lang.Class", "java.lang.Object", (("name", OBJECT), ("classLoader", OBJECT), ("componentType", OBJECT))),
    ("java.lang.ClassLoader", "java.lang.Object", (("parent", OBJECT), ("name", OBJECT), ("classes", OBJECT))),
    ("java.lang.String", "java.lang.Object", (("value", OBJECT), ("hash", INT), ("coder", BYTE), ("hashIsZero", BOOLEAN))),
    ("java.lang.Number", "java.lang.Object", ()),
    ("java.lang.Integer", "java.lang.Number", (("value", INT),)),
    ("java.lang.Thread", "java.lang.Object", (("name", OBJECT), ("tid", LONG), ("priority", INT), ("daemon", BOOLEAN),
                                              ("threadStatus", INT), ("target", OBJECT), ("contextClassLoader", OBJECT))),
    ("java.lang.VirtualThread", "java.lang.Thread", (("state", INT), ("carrierThread", OBJECT))),
    ("java.lang.ref.Reference", "java.lang.Object", (("referent", OBJECT), ("queue", OBJECT), ("next", OBJECT))),
    ("java.lang.ref.SoftReference", "java.lang.ref.Reference", (("timestamp", LONG),)),
    ("java.lang.ref.WeakReference", "java.lang.ref.Reference", ()),
    ("java.lang.ref.PhantomReference", "java.lang.ref.Reference", ()),
    ("java.lang.ref.FinalReference", "java.lang.ref.Reference", ()),
    ("java.lang.ref.Finalizer", "java.lang.ref.FinalReference", (("next", OBJECT), ("prev", OBJECT))),
    ("java.util.AbstractList", "java.lang.Object", (("modCount", INT),)),
    ("java.util.ArrayList", "java.util.AbstractList", (("elementData", OBJECT), ("size", INT))),
    ("java.util.HashMap", "java.lang.Object", (("table", OBJECT), ("size", INT), ("threshold", INT), ("loadFactor", FLOAT))),
    ("java.util.HashMap$Node", "java.lang.Object", (("hash", INT), ("key", OBJECT), ("value", OBJECT), ("next", OBJECT))),
)
APP = (
    ("com.example.User", "java.lang.Object", (("id", LONG), ("name", OBJECT), ("email", OBJECT), ("friends", OBJECT),
                                              ("age", INT), ("active", BOOLEAN), ("rating", FLOAT))),
    ("com.example.Session", "java.lang.Object", (("user", OBJECT), ("payload", OBJECT), ("created", LONG))),
    ("com.example.Node", "java.lang.Object", (("next", OBJECT), ("v", INT))),
    ("com.example.Fork", "java.lang.Object", (("left", OBJECT), ("right", OBJECT))),
    ("com.example.Base", "java.lang.Object", (("val", INT), ("flag", BOOLEAN))),
    ("com.example.Derived", "com.example.Base", (("val", OBJECT), ("tail", BYTE))),
    ("com.example.Worker", "java.lang.Object", (("this$0", OBJECT), ("jobs", OBJECT))),
)


def string_hash(s):
    h = 0
    for ch in s:
        h = (h * 31 + ord(ch)) & 0xffffffff
    return h - (1 << 32) if h >> 31 else h


def boot(d, more=()):
    """The classes of the boot loader that every dump has."""
    for name, sup, fields in JAVA:
        d.klass(name, sup, fields)
    for p in PRIMS:
        d.klass(p + "[]")
    for name in ("java.lang.Object[]", "java.lang.String[]", "java.util.HashMap$Node[]", "int[][]",
                 "java.lang.String[][][]") + tuple(more):
        d.klass(name)


def array_list(d, items, spare=2):
    data = d.refs("java.lang.Object[]", list(items) + [0] * spare)
    return d.obj("java.util.ArrayList", elementData=data, size=len(items), modCount=len(items))


def hash_map(d, pairs, buckets=64):
    """pairs of (key text, value)."""
    table = [0] * buckets
    for key, value in pairs:
        h = string_hash(key)
        i = (h ^ h >> 16) & (buckets - 1)
        table[i] = d.obj("java.util.HashMap$Node", hash=h, key=d.text(key), value=value, next=table[i])
    return d.obj("java.util.HashMap", table=d.refs("java.util.HashMap$Node[]", table), size=len(pairs),
                 threshold=buckets * 3 // 4, loadFactor=0.75)


def chain(d, n, cname="com.example.Node"):
    """A list of n Nodes, the first of which is returned."""
    at = 0
    for i in range(n):
        at = d.obj(cname, next=at, v=n - i)
    return at


# ---- the shop ---------------------------------------------------------------------


def users(d, loader):
    names = "alice bob carol dave erin frank grace henry".split()
    at = [d.reserve("com.example.User") for _ in names]
    for i, name in enumerate(names):
        friends = array_list(d, [at[(i + 1) % 8], at[(i + 2) % 8]], i % 3)
        d.obj("com.example.User", at[i], id=1000 + i, name=d.text(name), email=d.text("unknown@example.com"),
              friends=friends, age=34 - 3 * i, active=i % 2 == 0, rating=i / 2)
    d.klass("com.example.Users", statics=[("all", OBJECT, array_list(d, at)), ("count", INT, len(at))], loader=loader)
    return at


def leak(d, loader, people):
    made = []
    for i in range(60):
        made.append(("session-%d" % i, d.obj("com.example.Session", user=people[i % 8], created=1500000000000 + i,
                                             payload=d.prims(BYTE, bytes([i]) * 2048))))
    d.klass("com.example.Cache", statics=[("sessions", OBJECT, hash_map(d, made)), ("hits", LONG, 12345)],
            loader=loader)


def graph(d, loader):
    shared = d.obj("com.example.Node", v=7)
    left, right = (d.obj("com.example.Node", next=shared, v=v) for v in (1, 2))
    diamond = d.obj("com.example.Fork", left=left, right=right)
    first, second = d.reserve("com.example.Node"), d.reserve("com.example.Node")
    d.obj("com.example.Node", first, next=second, v=1)
    d.obj("com.example.Node", second, next=first, v=2)
    d.klass("com.example.Graph", statics=[("diamond", OBJECT, diamond), ("ring", OBJECT, first),
                                          ("list", OBJECT, chain(d, 100))], loader=loader)


def all_types(d, loader):
    values = dict(zBoolean=True, cChar=ord("x"), fFloat=-0.0, dDouble=float("nan"), bByte=-128, sShort=-32768,
                  iInt=0x01020304, jLong=-2 ** 63)
    kinds = dict(zBoolean=BOOLEAN, cChar=CHAR, fFloat=FLOAT, dDouble=DOUBLE, bByte=BYTE, sShort=SHORT, iInt=INT,
                 jLong=LONG)
    d.klass("com.example.AllTypes", fields=[(n, kinds[n]) for n in values] + [("lRef", OBJECT)],
            statics=[("S_" + n, kinds[n], v) for n, v in values.items()], loader=loader)
    one = d.obj("com.example.AllTypes", lRef=d.obj("java.lang.Integer", value=42), **values)
    arrays = [d.prims(t, [t, 1, 0][:n]) for t, n in zip(WIDTH, (3, 3, 2, 2, 3, 2, 3, 1))]
    arrays += [d.prims(INT, []), d.refs("java.lang.Object[]", [0] * 7), d.refs("java.lang.Object[]", []),
               d.refs("int[][]", [d.prims(INT, range(4)) for _ in range(3)]),
               d.refs("java.lang.String[][][]", [d.refs("java.lang.Object[]", [d.text("deep")])]),
               d.prims(LONG, range(64)), d.prims(DOUBLE, [float("inf"), 2.5, 5e-324])]
    d.klass("com.example.Arrays", statics=[("one", OBJECT, one), ("all", OBJECT, d.refs("java.lang.Object[]", arrays))],
            loader=loader)
    both = [d.obj("com.example.Base", val=5, flag=True),
            d.obj("com.example.Derived", Base__val=-9, Derived__val=d.text("shadow"), flag=True, tail=3)]
    d.klass("com.example.Shadow", statics=[("both", OBJECT, array_list(d, both))], loader=loader)


def texts(d, loader):
    some = ["caf\u00e9 latin1", "\u65e5\u672c\u8a9e \u043c\u0438\u0440 \U0001f680", "ctl\x1b[31m\0\t\nend",
            "lone\ud83d", "", "long " * 400, "quote \" and \\ and '"]
    at = [d.text(s) for s in some] + [d.text("duplicate") for _ in range(5)]
    at.append(d.obj("java.lang.String"))
    if d.string_form == "compact":
        shared = d.prims(BYTE, b"shared characters")
        at += [d.obj("java.lang.String", value=shared), d.obj("java.lang.String", value=shared),
               d.obj("java.lang.String", value=0x123450)]
    d.klass("com.example.Texts", statics=[("all", OBJECT, d.refs("java.lang.Object[]", at))], loader=loader)


def references(d, loader):
    """strong -> soft -> weak -> phantom -> end, and a finalizer."""
    node = lambda v, at=0: d.obj("com.example.Node", next=at, v=v)
    end = node(105)
    phantom = d.obj("java.lang.ref.PhantomReference", referent=end)
    weak = d.obj("java.lang.ref.WeakReference", referent=node(103, phantom))
    soft = d.obj("java.lang.ref.SoftReference", referent=node(102, weak), timestamp=77)
    fin = d.obj("java.lang.ref.Finalizer", referent=node(104, node(106)))
    d.static("java.lang.ref.Finalizer", "unfinalized", fin)
    held = node(107)
    d.klass("com.example.Holder", statics=[
        ("soft", OBJECT, soft), ("weakKept", OBJECT, d.obj("java.lang.ref.WeakReference", referent=held)),
        ("kept", OBJECT, held), ("missing", OBJECT, 0x12345678),
        ("gone", OBJECT, d.obj("java.lang.ref.WeakReference"))], loader=loader)


def plugins(d, loader):
    for i in (1, 2):
        own = d.reserve("java.lang.ClassLoader")
        c = d.klass("com.example.Plugin", fields=[("config", OBJECT)], loader=own, key="plugin%d" % i,
                    statics=[("cache", OBJECT, d.prims(BYTE, bytes(3000)))])
        d.obj("java.lang.ClassLoader", own, parent=loader, name=d.text("plugin-%d" % i),
              classes=array_list(d, [c.id]))
        one = d.obj("plugin%d" % i, config=d.text("config %d" % i))
        if i == 1:
            d.root("jni global", one, 0x7f0000001000)
        else:
            d.klass("com.example.Registry", statics=[("last", OBJECT, one)], loader=loader)


def threads(d, loader, people):
    status = {"main": 0x5, "worker-1": 0x191, "worker-2": 0x401}
    at = {n: d.obj("java.lang.Thread", name=d.text(n), tid=i + 1, priority=5, daemon=i > 0, threadStatus=s,
                   contextClassLoader=loader) for i, (n, s) in enumerate(status.items())}
    virtual = d.obj("java.lang.VirtualThread", name=d.text(""), tid=31, state=4, carrierThread=at["worker-2"])
    stacks = {
        "main": [("java.lang.Thread", "sleep", "(J)V", "Thread.java", -3), ("com.example.Worker", "await", "()V", "Worker.java", 40),
                 ("com.example.Worker", "run", "(Lcom/example/User;)V", "Worker.java", 17),
                 ("com.example.Users", "main", "([Ljava/lang/String;)V", "Users.java", 9)],
        "worker-1": [("java.lang.Object", "wait", "(J)V", None, -3), ("com.example.Worker", "await", "()V", "Worker.java", -1),
                     ("java.lang.Thread", "run", "()V", "Thread.java", -2)],
    }
    frame = 0
    for serial, (name, thread) in enumerate(list(at.items()) + [("", virtual)], 1):
        frames = []
        for where in stacks.get(name, ()):
            frame += 1
            frames.append(d.frame(frame, *where))
        d.stack(serial + 1, serial, frames)
        d.root("thread", thread, serial, serial + 1)
    job = d.obj("com.example.Worker", jobs=array_list(d, [d.prims(CHAR, [65] * 100)]))
    own = d.prims(BYTE, bytes(5000))
    d.root("java frame", job, 1, 1)
    d.root("java frame", people[0], 1, 2)
    d.root("java frame", own, 2, 1)
    d.root("java frame", people[1], 2, 0)
    d.root("jni local", d.text("native local"), 2, -1)
    d.root("java frame", d.obj("com.example.Node", v=55), 3, -1)
    d.root("native stack", d.obj("com.example.Node", v=56), 3)
    d.root("thread block", d.obj("com.example.Node", v=57), 3)
    d.root("monitor", people[2])
    d.root("java frame", d.obj("com.example.Node", v=58), 99, 0)      # no such thread
    d.root("jni global", 0x999999)                                     # no such object
    d.root("thread", 0, 77, 0)                                         # a thread just attached


def garbage(d):
    ring = [d.reserve("com.example.Node") for _ in range(20)]
    for i, at in enumerate(ring):
        d.obj("com.example.Node", at, next=ring[(i + 1) % 20], v=i)
    d.refs("java.lang.Object[]", [ring[0], d.text("garbage")])


def shop(**options):
    d = Dump(**options)
    d.stack(1, 0, [])
    boot(d)
    for name in PRIMS:              # int.class and the like
        d.instance(d.reserve("java.lang.Class"), d.classes["java.lang.Class"].id, d.id(0) * 3)
    loader = d.reserve("java.lang.ClassLoader")
    d.classes["java.lang.ref.Finalizer"].statics.append(["unfinalized", OBJECT, 0])
    d.classes["java.lang.Integer"].statics.append(["MAX_VALUE", INT, 2 ** 31 - 1])
    for name, sup, fields in APP:
        d.klass(name, sup, fields, loader=loader)
    people = users(d, loader)
    for part in (graph, all_types, texts, references, plugins):
        part(d, loader)
    leak(d, loader, people)
    d.load("com.example.NeverLoaded", d.place(8))
    threads(d, loader, people)
    garbage(d)
    d.obj("java.lang.ClassLoader", loader, name=d.text("app"),
          classes=array_list(d, [c.id for c in d.classes.values() if c.loader == loader]))
    d.root("jni global", loader)
    for c in d.classes.values():
        if c.loader == 0:
            d.root("sticky class", c.id)
    return d


SIZED = {"Bare": (), "Flag": (("on", BOOLEAN),), "Pair": (("a", OBJECT), ("b", OBJECT)), "Point": (("x", INT), ("y", INT)), "Span": (("from", LONG),),
         "Triple": (("a", OBJECT), ("b", OBJECT), ("c", OBJECT)), "Mixed": (("n", LONG), ("o", OBJECT), ("z", BYTE)),
         "Wide": (("a", OBJECT), ("b", LONG), ("c", LONG), ("d", INT)), "Short": (("s", SHORT), ("o", OBJECT))}


def sized(slack=False, **options):
    """Objects of many classes, none of which touches the next one of its class more than by chance."""
    d = Dump(**options)
    d.stack(1, 0, [])
    boot(d)
    for name, fields in SIZED.items():
        d.klass("com.example." + name, "java.lang.Object", fields)
    held = []
    if slack:
        d.klass("java.lang.Module", "java.lang.Object", (("name", OBJECT),))
        d.klass("java.util.Lease", "java.lang.Object", (("until", LONG),))
        for i in range(8):
            for name, dead in (("java.util.Lease", 40), ("java.lang.Module", 8 + 16 * (i + 1))):
                held.append(d.reserve(name))
                d.free += dead
                d.obj(name, held[-1])
    for i in range(150):
        held += [d.obj("com.example." + name) for name in SIZED]
        held += [d.prims(INT, range(i % 7)), d.prims(BYTE, range(i % 23)), d.refs("java.lang.Object[]", held[-(i % 5) - 1:])]
    d.root("jni global", d.refs("java.lang.Object[]", held))
    return d.build()
