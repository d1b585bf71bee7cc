#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mkgraph.py odd DIR | random SEED OUT | big OBJECTS OUT | grows OUT - Java heap graphs in Perfetto traces, as the runtime of Android writes them.

odd: small traces, each with one peculiarity.  random: graphs of several processes, in packets of any order and form.  big: for speed.  grows: two of a
process, one of another between them.
"""
import os
import random
import sys
import zlib

PLACES = ("/apex/com.android.art/javalib/core-oj.jar", "/data/app/~~A==/com.example-B==/base.apk", "/data/app/~~C==/org.other-D==/base.apk!classes2.dex",
          "base.apk", "/system/framework/framework.jar")
REFERENT = "java.lang.Object java.lang.ref.Reference.referent"
CLEANER, THUNK, REGISTRY = "sun.misc.Cleaner", "libcore.util.NativeAllocationRegistry$CleanerThunk", "libcore.util.NativeAllocationRegistry"
PADDED = [False]


def vi(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def num(k, v):
    return vi(k << 3) + vi(v)


def size_of(n):
    """A length, which writers that fill it in later leave in four bytes."""
    return bytes((n & 127 | 128, n >> 7 & 127 | 128, n >> 14 & 127 | 128, n >> 21 & 127)) if PADDED[0] else vi(n)


def blob(k, b):
    b = b.encode() if isinstance(b, str) else b
    return vi(k << 3 | 2) + size_of(len(b)) + b


def packed(k, vs):
    return blob(k, b"".join(map(vi, vs))) if vs else b""


def packet(body):
    return blob(1, body)


def process(pid, name, uid=10123):
    return packet(blob(2, blob(1, num(1, pid) + num(2, 1) + blob(3, name) + num(5, uid))))


def stats(ts, pid, score, anon, swap):
    return packet(num(8, ts) + blob(9, blob(1, num(1, pid) + num(10, score) + num(4, anon) + num(7, swap))))


def art(pid, name, message):
    return packet(num(8, 70) + blob(131, num(1, pid) + blob(3, name) + num(5, 16777232) + num(6, 4096) + num(7, 8192) + blob(9, message)))


def interned(k, i, s):
    return blob(k, num(1, i) + blob(2, s))


def root(kind, ids):
    return blob(7, packed(1, ids) + num(2, kind))


def typ(i, name, size=0, sup=0, fields=(), kind=0, place=None, loader=0):
    return blob(9, num(1, i) + (num(2, place) if place is not None else b"") + blob(3, name) + (num(4, size) if size else b"") +
                (num(5, sup) if sup else b"") + packed(6, fields) + (num(7, kind) if kind else b"") + (num(8, loader) if loader else b""))


def mapping(package, classes):
    """classes: obfuscated name, name, {obfuscated field: name}."""
    return packet(blob(64, blob(1, package) + b"".join(
        blob(3, blob(1, was) + blob(2, new) + b"".join(blob(3, blob(1, f) + blob(2, to)) for f, to in fields.items())) for was, new, fields in classes)))


class Writer:
    """A graph; add() takes any field of it, flush() ends a packet."""

    def __init__(self, pid, ts, seq, limit=400000):
        self.pid, self.ts, self.seq, self.limit = pid, ts, seq, limit
        self.out, self.index, self.last, self.part, self.parts, self.size = [], 0, 0, 0, [], 0

    def add(self, b):
        if self.size > self.limit:
            self.flush(True)
        self.parts.append(b)
        self.size += len(b)

    def flush(self, more, index=None):
        body = num(1, self.pid) + num(6, self.index if index is None else index) + b"".join(self.parts) + (num(5, 1) if more else b"")
        self.out.append(packet(num(8, self.ts) + blob(56, body) + num(10, self.seq) + num(3, 10123) + num(79, self.pid)))
        self.index += 1
        self.parts, self.size = [], 0

    def object(self, i, t, size=0, to=(), names=None, part=1, nar=None, inner=(), lists=packed, more=b""):
        b = num(7, i - self.last) if self.last and self.last < i else num(1, i)
        self.last = i
        b += num(2, t) + (num(3, size) if size else b"")
        if part != self.part:
            b += num(9, part)
            self.part = part
        if names is not None:
            b += lists(4, names)
        base = min((x for x in to if x), default=0) - 1
        if base > 0 and len(vi(base)) + 1 < sum(len(vi(x)) - len(vi(x - base)) for x in to if x):
            b += num(6, base)
            to = [x - base if x else 0 for x in to]
        b += lists(5, to) + (num(8, nar) if nar is not None else b"") + lists(10, inner)
        self.add(blob(2, b + more))


def tree(pid, seq, ts=1000, limit=10 ** 9, n=6):
    """A Holder at 0x1000 with an ArrayList of n Items."""
    w = Writer(pid, ts, seq, limit)
    w.add(root(3, [0x1000]))
    w.object(0x1000, 2, 0, [0x1001])
    w.object(0x1001, 3, 0, [0x1002])
    w.object(0x1002, 4, 12 + 4 * (n + 2), [0x1100 + 2 * i for i in range(n)] + [0, 0])
    for i in range(n):
        w.object(0x1100 + 2 * i, 5, 0, [0x1101 + 2 * i, 0x1000])
        w.object(0x1101 + 2 * i, 6, 16 + 8 * i)
    w.add(typ(1, "java.lang.Object", 8, 0, (), 2, 1) + typ(2, "com.example.Holder", 12, 1, [1], 1, 2) + typ(3, "java.util.ArrayList", 20, 7, [2], 1, 1) +
          typ(7, "java.util.AbstractList", 12, 1, (), 2, 1) + typ(4, "java.lang.Object[]", 0, 1, (), 4, 1) +
          typ(5, "com.example.Item", 16, 1, [3, 4], 1, 2) + typ(6, "java.lang.String", 0, 1, (), 3, 1))
    for i, s in enumerate(("java.util.List com.example.Holder.items", "java.lang.Object[] java.util.ArrayList.elementData",
                           "java.lang.String com.example.Item.name", "com.example.Holder com.example.Item.owner"), 1):
        w.add(interned(4, i, s))
    for i in (1, 2):
        w.add(interned(8, i, PLACES[i - 1]))
    return w


def holes():
    """Names with the object, not packed; Class objects; missing objects, types and names; an object with too few names."""
    x = Writer(12, 50, 5)
    x.add(blob(7, num(1, 0x20) + num(1, 0x21) + num(2, 5)) + root(99, [0x999, 0x22]))
    x.add(blob(2, num(1, 0x20) + num(2, 1) + num(3, 100) + num(4, 1) + num(4, 9) + num(5, 0x21) + num(5, 0x77)))
    x.add(blob(2, num(7, 1) + num(2, 8) + num(3, 50) + packed(5, [0x20])))
    x.add(blob(2, num(7, 1) + num(2, 2) + num(3, 30) + packed(4, [1, 2]) + packed(5, [0x20])))
    x.add(blob(2, num(7, 1) + num(2, 2) + num(3, 30) + num(6, 0x10) + packed(5, [0x10, 0, 0x12])))
    x.add(typ(1, "java.lang.Class<com.example.A>") + typ(2, "com.example.A", 30, 3, []) + typ(3, "com.example.B", 20, 0, [2]))
    x.add(interned(4, 1, "java.lang.Class.superClass") + interned(4, 2, "int com.example.B.x"))
    x.flush(False)
    return b"".join(x.out)


def odd(to):
    os.makedirs(to, exist_ok=True)

    def save(name, data):
        with open(os.path.join(to, name + ".pftrace"), "wb") as f:
            f.write(data)
    w, v, u = tree(10, 3), tree(10, 3, limit=40), tree(11, 4, limit=40, n=3)
    for one in (w, v, u):
        one.flush(False)
    whole, split, head = b"".join(w.out), v.out, process(10, "com.example")
    save("plain", head + whole)
    save("split", head + b"".join(split))
    save("gap", head + b"".join(split[:2] + split[3:]))
    save("unfinished", head + b"".join(split[:-1]))
    save("cut", (head + whole)[:-37])
    mixed = [p for k in range(max(len(split), len(u.out))) for p in split[k:k + 1] + u.out[k:k + 1]]
    save("two-processes", head + process(11, "com.example:remote") + b"".join(mixed))
    save("two-dumps", head + whole + whole.replace(num(8, 1000), num(8, 2000), 1))
    PADDED[0] = True
    pad = tree(10, 3, limit=40)
    pad.flush(False)
    save("padded", head + b"".join(pad.out))
    PADDED[0] = False
    z = zlib.compress(head + b"".join(split))
    save("compressed", packet(blob(36, bytes(range(16)))) + packet(blob(50, z)) + packet(num(8, 99)))
    save("compressed-cut", packet(blob(50, z[:len(z) // 2])) + packet(num(8, 99)))
    save("garbage-tail", head + whole + b"\xff" * 40)
    save("holes", holes())


def leaks():
    """An Activity with a record and one without, which a static holds; fragments without a manager or with a life cycle that has ended."""
    w, types, names, next_id = Writer(20, 1000, 9), {}, {}, [0x2000]

    def name(text):
        return names.setdefault("java.lang.Object " + text, len(names) + 1)

    def cls(text, sup=None, fields=()):
        types[text] = (len(types) + 1, types[sup][0] if sup else 0, [name(text + "." + f) for f in fields])
        return text

    def obj(of, *to, names=None):
        next_id[0] += 4
        w.object(next_id[0], types[of][0], 64, to, names)
        return next_id[0]
    root_class = cls("java.lang.Object")
    for text, sup, fields in (("android.content.Context", root_class, ()), ("android.app.Activity", "android.content.Context", ("mWindow",)),
                              ("com.example.MainActivity", "android.app.Activity", ()), ("com.example.DetailActivity", "android.app.Activity", ("mCache",)),
                              ("android.app.ActivityThread$ActivityClientRecord", root_class, ("activity", "window")), ("byte[]", root_class, ()),
                              ("android.app.Fragment", root_class, ("mFragmentManager", "mHost")), ("com.example.OldFragment", "android.app.Fragment", ()),
                              ("androidx.fragment.app.Fragment", root_class, ("mFragmentManager", "mLifecycleRegistry")),
                              ("com.example.PageFragment", "androidx.fragment.app.Fragment", ()),
                              ("androidx.lifecycle.LifecycleRegistry", root_class, ("mState",)), ("androidx.lifecycle.Lifecycle$State", root_class, ()),
                              ("java.lang.Class", root_class, ()), ("com.example.Leaky", root_class, ()),
                              ("java.lang.Class<com.example.Leaky>", None, ()), ("java.lang.Class<androidx.lifecycle.Lifecycle$State>", None, ())):
        cls(text, sup, fields)
    main, detail = obj("com.example.MainActivity", 0), obj("com.example.DetailActivity", obj("byte[]"), 0)
    record = obj("android.app.ActivityThread$ActivityClientRecord", main, 0)
    ended, resumed = obj("androidx.lifecycle.Lifecycle$State"), obj("androidx.lifecycle.Lifecycle$State")
    states = obj("java.lang.Class<androidx.lifecycle.Lifecycle$State>", ended, resumed,
                 names=[name("androidx.lifecycle.Lifecycle$State." + s) for s in ("DESTROYED", "RESUMED")])
    old = obj("com.example.OldFragment", 0, 0)
    pages = [obj("com.example.PageFragment", 0, obj("androidx.lifecycle.LifecycleRegistry", s)) for s in (ended, resumed)]
    held = ("sActivity", "sMain", "sOld", "sPage", "sAlive")
    leaky = obj("java.lang.Class<com.example.Leaky>", detail, main, old, *pages, names=[name("com.example.Leaky." + s) for s in held])
    w.add(root(1, [record]) + root(5, [states, leaky]))
    for text, (i, sup, fields) in types.items():
        w.add(typ(i, text, 64, sup, fields, 1, 1))
    for text, i in names.items():
        w.add(interned(4, i, text))
    w.add(interned(8, 1, PLACES[4]))
    w.flush(False)
    return b"".join(w.out)


# ---- random graphs -----------------------------------------------------------------------------


class Made:
    """One random graph."""

    def __init__(self, r, pid, seq):
        self.r = r
        self.w = Writer(pid, r.randrange(1, 1 << 40), seq, r.choice((0, 60, 400, 10 ** 9)))
        self.types, self.names, self.places = {}, {}, {}
        self.late = []
        self.make_types()
        self.make_objects()
        self.write()

    def intern(self, table, text):
        return table.setdefault(text, len(table) + 1)

    def type(self, name, sup=0, fields=(), kind=1, size=None, place=None):
        i = len(self.types) + 1
        place = self.r.choice(PLACES) if place is None else place
        self.types[i] = (name, sup, [self.intern(self.names, f) for f in fields], kind, self.r.randrange(8, 80) if size is None else size,
                         self.intern(self.places, place) if place else None)
        return i

    def make_types(self):
        r = self.r
        obj = self.type("java.lang.Object", 0, (), 2)
        ref = self.type("java.lang.ref.Reference", obj, (REFERENT, "java.lang.ref.ReferenceQueue java.lang.ref.Reference.queue"))
        self.weak = [self.type("java.lang.ref.X%d" % k, ref, ["java.lang.Object java.lang.ref.X%d.more" % k] * (k % 2), k) for k in (1, 8, 9, 10, 11)]
        self.weak.append(self.type("com.example.MyWeak", self.weak[2], ["int com.example.MyWeak.key"], 9))
        self.cleaner = self.type(CLEANER, ref, ["%s %s.%s" % (CLEANER, CLEANER, f) for f in ("next", "prev", "thunk")], 11)
        self.thunk = self.type(THUNK, obj, ["%s %s.this$0" % (REGISTRY, THUNK)])
        self.registry = self.type(REGISTRY, obj, (), 2)
        self.plain = []
        for k in range(r.randrange(1, 12)):
            name = r.choice(("com.example.C%d", "a.b%d", "a%d", "org.other.D%d")) % (k if r.random() < .8 else 0)
            sup = r.choice([obj] + self.plain)
            self.plain.append(self.type(name, sup, ["java.lang.Object %s.%s" % (name, r.choice("abcdefg")) for _ in range(r.randrange(5))]))
        self.arrays = [self.type("java.lang.Object[]", obj, (), 4, 0), self.type("com.example.C0[][]", obj, (), 4, 0)]
        self.prims = [self.type(p + "[]", obj, (), 2, 0) for p in ("byte", "long", "char")]
        self.classes = []
        for t in r.sample(self.plain, r.randrange(len(self.plain) + 1)):
            name, place = self.types[t][0], self.types[t][5]
            self.classes.append((t, self.type("java.lang.Class<%s>" % name, 0, (), 0, 0, next((p for p, i in self.places.items() if i == place), ""))))
        self.gone = max(self.types) + 7

    def fields(self, t):
        n = 0
        while t:
            n += len(self.types[t][2])
            t = self.types[t][1]
        return n

    def make_objects(self):
        r = self.r
        ids = sorted(r.sample(range(1, 1 << r.choice((10, 20, 33))), r.randrange(1, 60)))
        self.objects = []

        def some():
            return r.choice((0, r.choice(ids), r.choice(ids), r.choice(ids), ids[-1] + 5))
        for i in ids:
            t = r.choice(self.weak + self.plain * 2 + self.arrays + self.prims + [self.gone])
            names = None
            if t in self.arrays:
                to = [some() for _ in range(r.choice((0, 3, 40)))]
            elif t in self.prims:
                to = []
            else:
                to = [some() for _ in range(self.fields(t) if t in self.types else 2)] + [some()] * (r.random() < .1)
                if t in self.types and r.random() < .3:
                    names = [r.choice(list(self.names.values()) + [999]) for _ in to]
            self.objects.append([i, t, r.choice((0, r.randrange(2000))), to, names, None, [some() for _ in range(r.choice((0, 0, 0, 2)))]])
        for t, c in self.classes:
            o = r.choice(self.objects)
            if o[1] in self.plain:
                own = self.intern(self.names, "java.lang.Object %s.sHeld" % self.types[t][0])
                o[1:5] = c, 200, [some(), some()], [own, self.intern(self.names, "java.lang.ClassLoader java.lang.Class.classLoader")]
        for _ in range(r.randrange(3)):
            if len(ids) > 6:
                at = r.sample(range(len(ids)), 3)
                c, k, reg = (self.objects[x] for x in at)
                c[1:5] = self.cleaner, 0, [r.choice((0, c[0])), 0, k[0], some(), 0], None
                k[1:5] = self.thunk, 0, [reg[0]], None
                reg[1:6] = self.registry, 0, [], None, r.randrange(1 << 30)

    def lists(self, k, vs):
        """Numbers packed, one by one, or both."""
        how = self.r.randrange(3) if vs else 0
        at = (0, len(vs), len(vs) // 2)[how]
        return b"".join(num(k, v) for v in vs[:at]) + packed(k, vs[at:])

    def write(self):
        r, w = self.r, self.w
        some = [o[0] for o in self.objects]
        fields = [root(r.randrange(17), [r.choice(some + [some[-1] + 9]) for _ in range(r.randrange(1, 4))]) for _ in range(r.randrange(1, 5))]
        fields += [typ(i, name, size, sup, f, kind, place, r.choice((0, 0, some[0]))) for i, (name, sup, f, kind, size, place) in self.types.items()]
        fields += [interned(4, i, s) for s, i in self.names.items()] + [interned(8, i, s) for s, i in self.places.items()]
        objects = list(self.objects)
        if r.random() < .5:
            r.shuffle(objects)
        if r.random() < .3:
            objects.append(r.choice(objects)[:3] + [[], None, None, []])
        if r.random() < .5:
            r.shuffle(fields)
        turn = [True] * len(objects) + [False] * len(fields)
        r.shuffle(turn)
        part = 1
        for object_next in turn:
            if not object_next:
                w.add(fields.pop())
                continue
            i, t, size, to, names, nar, inner = objects.pop(0)
            part = r.choice((part, part, part, part, 1, 2, 3))
            w.object(i, t, size, to, names, part, nar, inner, self.lists, r.choice((b"", b"", num(77, 3))))
            if r.random() < .03:
                w.add(blob(2, num(2, 3) + b"\x2a\x7f\x01"))
        w.add(num(10, r.randrange(1 << 40)))
        w.flush(r.random() < .1)


def random_trace(seed):
    r = random.Random(seed)
    made = [Made(r, r.choice((10, 11)), seq) for seq in range(3, 3 + r.randrange(1, 4))]
    queues = [list(m.w.out) for m in made]
    if r.random() < .15 and len(queues[0]) > 2:
        del queues[0][r.randrange(1, len(queues[0]))]
    packets = [process(10, "com.example"), process(11, "com.example:remote", 10200), stats(60, 10, -100, 1, 2), stats(1 << 39, 10, 900, 3, 4)]
    while any(queues):
        packets.append(r.choice([q for q in queues if q]).pop(0))
    names = [n.split(" ")[-1].rpartition(".") for n in made[0].names]
    renamed = sorted({(c, f) for c, _, f in names if c.startswith(("a", "com"))})
    for package in r.sample(("com.example", "org.other", "", "com.third"), r.randrange(3)):
        classes = sorted({c for c, _ in renamed})
        packets.append(mapping(package, [(c, "%s.Real%d" % (package or "any", k), {f: r.choice(("real_" + f, "elsewhere.Of." + f)) for x, f in renamed if x == c})
                                         for k, c in enumerate(classes) if r.random() < .7]))
    if r.random() < .3:
        packets.append(packet(blob(47, blob(1, blob(1, "com.example") + num(2, 10123)))))
    if r.random() < .3:
        at = r.randrange(len(packets))
        packets[at:] = [packet(blob(50, zlib.compress(b"".join(packets[at:]))))]
    return b"".join(packets)


def big(n, out):
    r = random.Random(5)
    w = Writer(10, 1, 3)
    w.add(root(8, [0x100000]))
    ids = [0x100000 + 3 * i for i in range(n)]
    for i in range(n):
        kids = [ids[k] for k in (2 * i + 1, 2 * i + 2) if k < n]
        kids.append(ids[r.randrange(i + 1)] if i % 3 else 0)
        w.object(ids[i], 2 + i % 500, 0 if i % 7 else 64 + i % 900, kids)
    w.add(typ(1, "java.lang.Object", 8, 0, (), 2))
    for k in range(500):
        w.add(typ(2 + k, "com.example.p%d.Type%d" % (k % 20, k), 16 + k % 64, 1, [1 + k % 9, 2 + k % 9, 3 + k % 9], 1, 1))
    for k in range(1, 12):
        w.add(interned(4, k, "java.lang.Object com.example.F.field%d" % k))
    w.add(interned(8, 1, PLACES[1]))
    w.flush(False)
    with open(out, "wb") as f:
        f.write(process(10, "com.example") + b"".join(w.out))


def grows():
    parts = [tree(10, 3, 10 ** 6, n=6), tree(11, 4, 2 * 10 ** 6, n=3), tree(10, 3, 3 * 10 ** 6, n=60)]
    for w in parts:
        w.flush(False)
    return b"".join(p for w in parts for p in w.out)


if __name__ == "__main__":
    if sys.argv[1] == "odd":
        odd(sys.argv[2])
    elif sys.argv[1] == "grows":
        with open(sys.argv[2], "wb") as out:
            out.write(grows())
    elif sys.argv[1] == "big":
        big(int(sys.argv[2]), sys.argv[3])
    else:
        with open(sys.argv[3], "wb") as out:
            out.write(random_trace(int(sys.argv[2])))
