# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heaprandom.py - small random graphs as heap dumps, for mkheap.py; a seed says everything."""
import random

from heapfile import BYTE, INT, LONG, OBJECT, SHORT, TYPES, Dump

FORMS = (dict(), dict(), dict(layout="zgc"), dict(layout="coops-old"),
         dict(version="1.0.1", ids=4, layout="32", start=0x20000000, segment=0),
         dict(version="1.0.1", ids=4, layout="32", names="java", start=7, segment=0, step=1),
         dict(version="1.0.3", ids=4, layout="32", names="java", start=0x12c00000, segment=300, mixed=True))
REFERENCES = ("java.lang.ref.SoftReference", "java.lang.ref.WeakReference", "java.lang.ref.PhantomReference",
              "java.lang.ref.Finalizer")
MISSING = 0xfff8


class Graph:
    def __init__(self, seed):
        self.rnd = random.Random(seed)
        form = dict(self.rnd.choice(FORMS))
        self.android = form.get("version") == "1.0.3"
        self.d = Dump(**form)
        self.classes()
        self.plan = self.shape()
        self.objects()
        self.roots()

    def klass(self, name, sup="java.lang.Object", fields=(), **more):
        size = None
        if self.android:
            size = 8 * self.rnd.randrange(1, 8) if "[]" not in name else 0
        return self.d.klass(name, sup, fields, size=size, **more)

    def classes(self):
        rnd = self.rnd
        self.klass("java.lang.Object", None)
        if rnd.random() < 0.9:
            self.klass("java.lang.Class", fields=[("name", OBJECT)] * rnd.randrange(2))
        self.klass("java.lang.ClassLoader", fields=[("parent", OBJECT)])
        self.klass("java.lang.Thread", fields=[("name", OBJECT)])
        self.klass("java.lang.ref.Reference", fields=[("queue", OBJECT), ("referent", OBJECT), ("next", OBJECT), ("discovered", OBJECT)])
        for r in REFERENCES[:3]:
            self.klass(r, "java.lang.ref.Reference")
        self.klass("java.lang.ref.FinalReference", "java.lang.ref.Reference")
        self.klass(REFERENCES[3], "java.lang.ref.FinalReference", [("prev", OBJECT)])
        for t in rnd.sample(sorted(TYPES), 3):
            self.klass(t + "[]")
        self.klass("java.lang.Object[]")
        self.loaders = [self.d.reserve("java.lang.ClassLoader") for _ in range(rnd.randrange(3))]
        names = ["java.lang.Object"]
        self.own = []
        for i in range(rnd.randrange(1, 7)):
            fields = [("f%d" % k, OBJECT) for k in range(rnd.randrange(4))] + [("p", rnd.choice((BYTE, SHORT, INT, LONG)))]
            rnd.shuffle(fields)
            self.klass("com.example.C%d" % i, rnd.choice(names), fields, loader=rnd.choice([0] + self.loaders),
                       statics=[("s%d" % k, OBJECT, 0) for k in range(rnd.randrange(3))])
            names.append("com.example.C%d" % i)
            self.own.append("com.example.C%d" % i)
        if rnd.random() < 0.3:
            self.klass("com.example.Cache", rnd.choice(REFERENCES), [("extra", OBJECT)], loader=rnd.choice([0] + self.loaders))

    def shape(self):
        """How far, and where to, references go: trees, chains with ways back, thick and thin graphs."""
        n = self.rnd.choice((1, 3, 8, 20, 60, 150))
        return self.rnd.choice(("any", "any", "near", "back", "down")), n, self.rnd.choice((0.2, 0.5, 0.9))

    def target(self, i):
        kind, n, full = self.plan
        if self.rnd.random() > full:
            return 0
        if self.rnd.random() < 0.02:
            return MISSING
        if self.rnd.random() < 0.03:
            return self.rnd.choice(list(self.d.classes.values())).id
        to = {"any": lambda: self.rnd.randrange(n), "near": lambda: i + self.rnd.randrange(-3, 4),
              "back": lambda: i + 1 if self.rnd.random() < 0.7 else self.rnd.randrange(n),
              "down": lambda: self.rnd.randrange(i, n)}[kind]()
        return self.at[min(max(to, 0), n - 1)]

    def objects(self):
        d, rnd, n = self.d, self.rnd, self.plan[1]
        kinds = [rnd.choice(self.own + ["java.lang.Object[]", "prims", rnd.choice(REFERENCES), "java.lang.Object"])
                 for _ in range(n)]
        if "com.example.Cache" in d.classes:
            kinds[0] = "com.example.Cache"
        lengths = [rnd.randrange(6) for _ in range(n)]
        prims = [rnd.choice(sorted(TYPES.values())) for _ in range(n)]
        self.at = []
        for kind, length, t in zip(kinds, lengths, prims):
            if kind == "prims":
                self.at.append(d.place(d.array_bytes(t, length)))
            elif kind == "java.lang.Object[]":
                self.at.append(d.place(d.array_bytes(OBJECT, length)))
            else:
                self.at.append(d.reserve(kind))
        order = list(range(n))
        if rnd.random() < 0.5:
            rnd.shuffle(order)
        for i in order:
            if kinds[i] == "prims":
                d.prims(prims[i], [rnd.randrange(2)] * lengths[i], self.at[i])
            elif kinds[i] == "java.lang.Object[]":
                d.refs(kinds[i], [self.target(i) for _ in range(lengths[i])], self.at[i])
            else:
                self.instance(kinds[i], self.at[i], i)
        for i, at in enumerate(self.loaders):
            self.instance("java.lang.ClassLoader", at, rnd.randrange(n))
        for c in d.classes.values():
            for s in c.statics:
                s[2] = self.target(rnd.randrange(n))

    def instance(self, cname, at, i):
        c = self.d.classes[cname]
        data = b"".join(self.d.value(t, self.target(i) if t == OBJECT else self.rnd.randrange(100))
                        for k in c.chain() for _, t in k.fields)
        self.d.instance(at, c.id, data)

    def roots(self):
        d, rnd = self.d, self.rnd
        for serial in range(1, rnd.randrange(4)):
            thread = d.reserve("java.lang.Thread")
            self.instance("java.lang.Thread", thread, rnd.randrange(self.plan[1]))
            d.stack(serial + 1, serial, [d.frame(10 * serial + k, "java.lang.Thread", "m%d" % k, "()V", "T.java", k)
                                         for k in range(rnd.randrange(3))])
            d.root("thread", thread, serial, serial + 1)
            for _ in range(rnd.randrange(4)):
                d.root(rnd.choice(("java frame", "jni local")), self.pick(), serial, rnd.randrange(-1, 2))
        for _ in range(rnd.randrange(4)):
            d.root(rnd.choice(("jni global", "monitor", "unknown", "debugger")), self.pick())
        if rnd.random() < 0.1:
            d.root("java frame", self.pick(), 50, 0)
        if rnd.random() < 0.7:
            for c in list(d.classes.values()):
                if c.loader == 0 and rnd.random() < 0.8:
                    d.root("sticky class", c.id)

    def pick(self):
        return MISSING if self.rnd.random() < 0.05 else self.rnd.choice(self.at)


def make(seed):
    return Graph(seed).d.build()
