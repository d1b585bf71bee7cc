# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapelements.py - collections whose elements tell their order, for mkheap.py.

elements      HotSpot: chains through hash tables, trees, bins, tables in the middle of a change, rings, keys of enums.
elements_old  the same as JDK 5 to 7 and Android until 6 hold them: circles with a header.
elements_bad  hostile ones: chains and trees that go round, nodes of two maps, nodes that are missing, trees of a thousand levels.
"""
from heapcopies import C, NEW, OLD, Shelf

MORE = tuple(row for row in NEW if row[0].split("<")[0] != "java.util.EnumMap") + (
    ("java.util.EnumMap", "keyType keyUniverse vals size:I"),
    ("java.util.LinkedHashMap$Entry<java.util.HashMap$Node", "before after"),
    ("java.util.HashMap$TreeNode<java.util.LinkedHashMap$Entry", "parent left right prev red:Z"),
    (C + "ConcurrentHashMap$TreeNode<" + C + "ConcurrentHashMap$Node", "parent left right prev red:Z"),
    (C + "ConcurrentHashMap$TreeBin<" + C + "ConcurrentHashMap$Node", "root first waiter lockState:I"),
    (C + "ConcurrentHashMap$ForwardingNode<" + C + "ConcurrentHashMap$Node", "nextTable"),
    (C + "ConcurrentHashMap$ReservationNode<" + C + "ConcurrentHashMap$Node", ""),
    (C + "LinkedBlockingQueue$Node", "item next"), (C + "LinkedBlockingDeque$Node", "item prev next"),
)
OLDER = OLD + (
    ("java.util.LinkedHashMap<java.util.HashMap", "header accessOrder:Z"),
    ("java.util.LinkedHashMap$LinkedEntry<java.util.HashMap$HashMapEntry", "nxt prv"),
    ("java.util.LinkedList$Link", "data previous next"), ("java.util.TreeMap$Node", "parent left right key value height:I"),
    (C + "ConcurrentHashMap$HashEntry", "hash:I key value next"),
)


class Things(Shelf):
    def __init__(self, classes, **how):
        super().__init__(classes, **how)
        self.n = 0

    def thing(self):
        """Every second one is a text."""
        self.n += 1
        return self.d.text("thing %d" % self.n) if self.n % 2 else self.d.obj("com.example.Owner")

    def nodes(self, cname, n, link="next", last=0, **more):
        """A chain; the first of them."""
        at = last
        for _ in range(n):
            at = self.d.obj(cname, **{link: at}, **{k: self.thing() for k in more.get("has", ("key", "value"))})
        return at

    def linked(self, n, hash=0):
        """Entries in a table of 4 and in a chain: (first of the chain, table)."""
        d, kind = self.d, "java.util.LinkedHashMap$Entry"
        at = [d.reserve(kind) for _ in range(n)]
        for i, a in enumerate(at):
            d.obj(kind, a, hash=i, key=self.thing(), value=self.thing(), next=at[i + 4] if i + 4 < n else 0,
                  after=at[i + 1] if i + 1 < n else 0, before=at[i - 1] if i else 0)
        return at[0] if n else 0, d.refs("java.util.HashMap$Node[]", (at + [0] * 4)[:4])

    def tree(self, kind, n):
        """Balanced; its root."""
        if n == 0:
            return 0
        left = self.tree(kind, n // 2)
        mine = (self.thing(), self.thing())
        return self.d.obj(kind, left=left, right=self.tree(kind, n - n // 2 - 1), key=mine[0], value=mine[1])


def concurrent(s):
    d, name = s.d, C + "ConcurrentHashMap"
    bin = d.obj(name + "$TreeBin", hash=-2, first=s.nodes(name + "$TreeNode", 9, has=("key", "val")))
    place = d.obj(name + "$ReservationNode", hash=-3)
    old = d.refs("java.util.HashMap$Node[]", [bin, 0, place, s.nodes(name + "$Node", 2, has=("key", "val"))])
    s.made(name, baseCount=11, table=old)
    later = d.refs("java.util.HashMap$Node[]", [s.nodes(name + "$Node", 1, has=("key", "val")) for _ in range(3)] + [0] * 5)
    moved = d.obj(name + "$ForwardingNode", hash=-1, nextTable=later)
    s.made(name, baseCount=4, table=d.refs("java.util.HashMap$Node[]", [
        moved, moved, s.nodes(name + "$Node", 1, has=("key", "val")), 0]))
    s.made("java.util.Properties", map=s.kept[-1][2])
    s.made(C + "LinkedBlockingQueue", count=d.obj(C + "atomic.AtomicInteger", value=3), head=d.obj(
        C + "LinkedBlockingQueue$Node", next=s.nodes(C + "LinkedBlockingQueue$Node", 3, has=("item",))))
    s.made(C + "LinkedBlockingDeque", count=2, first=s.nodes(C + "LinkedBlockingDeque$Node", 2, has=("item",)))
    s.made(C + "ArrayBlockingQueue", count=3, takeIndex=3, items=d.refs("java.lang.Object[]", [
        s.thing(), s.thing(), 0, s.thing()]))


def elements():
    s = Things(MORE)
    d = s.d
    for n in (7, 0):
        first, table = s.linked(n)
        s.made("java.util.LinkedHashMap", size=n, table=table, head=first)
    s.made("java.util.LinkedHashSet", map=s.kept[0][2])
    for n in (1, 2, 15, 100):
        s.made("java.util.TreeMap", size=n, root=s.tree("java.util.TreeMap$Entry", n))
    s.made("java.util.TreeSet", m=s.kept[-1][2])
    table = d.refs("java.util.HashMap$Node[]", [s.nodes("java.util.HashMap$TreeNode", 10), 0,
                                                s.nodes("java.util.HashMap$Node", 1), d.obj("java.util.HashMap$Node")])
    s.made("java.util.HashMap", size=12, table=table)
    s.made("java.util.LinkedList", size=4, first=s.nodes("java.util.LinkedList$Node", 4, has=("item",)))
    s.made("java.util.LinkedList", size=1, first=d.obj("java.util.LinkedList$Node"))
    s.made("java.util.EnumMap", size=2, keyUniverse=d.refs("java.lang.Object[]", [s.thing() for _ in range(4)]),
           vals=d.refs("java.lang.Object[]", [0, s.thing(), 0, s.thing()]))
    s.made("java.util.IdentityHashMap", size=2, table=d.refs("java.lang.Object[]", [
        0, 0, s.thing(), s.thing(), s.thing(), 0, 0, s.thing()]))
    s.made("java.util.ArrayDeque", elements=d.refs("java.lang.Object[]", [s.thing() for _ in range(3)] + [0, s.thing()]),
           head=4, tail=3)
    s.made("java.util.ArrayList", size=3, elementData=d.refs("java.lang.Object[]", [s.thing(), 0, s.thing(), 0]))
    concurrent(s)
    return s.build()


def elements_old():
    s = Things(OLDER, layout="coops-old")
    d, kind = s.d, "java.util.LinkedHashMap$LinkedEntry"
    header = d.reserve(kind)
    d.obj(kind, header, nxt=s.nodes(kind, 5, link="nxt", last=header))
    s.made("java.util.LinkedHashMap", size=5, header=header, table=s.array(4, 4))
    header = d.reserve(kind)
    d.obj(kind, header, nxt=header)
    s.made("java.util.LinkedHashMap", size=0, header=header)
    header = d.reserve("java.util.LinkedList$Link")
    d.obj("java.util.LinkedList$Link", header, next=s.nodes("java.util.LinkedList$Link", 3, last=header, has=("data",)))
    s.made("java.util.LinkedList", size=3, header=header)
    entry = d.obj("java.util.HashMap$HashMapEntry", value=s.thing())
    s.made("java.util.HashMap", size=3, entryForNullKey=entry, table=d.refs("java.util.HashMap$HashMapEntry[]", [
        0, s.nodes("java.util.HashMap$HashMapEntry", 2)]))
    s.made("java.util.TreeMap", size=5, root=s.tree("java.util.TreeMap$Node", 5))
    segments = [d.obj(C + "ConcurrentHashMap$Segment", count=n, table=d.refs("java.lang.Object[]", [
        0, s.nodes(C + "ConcurrentHashMap$HashEntry", n)])) for n in (2, 0, 3)]
    s.made(C + "ConcurrentHashMap", segments=d.refs(C + "ConcurrentHashMap$Segment[]", segments + [0]))
    return s.build()


def circle(s, cname, n, link, into, **has):
    """A chain whose last node leads to the one with number into."""
    at = [s.d.reserve(cname) for _ in range(n)]
    for i, a in enumerate(at):
        s.d.obj(cname, a, **{link: at[i + 1] if i + 1 < n else at[into]}, **{k: s.thing() for k in has["has"]})
    return at


def elements_bad():
    s = Things(MORE)
    d, pair = s.d, {"has": ("key", "value")}
    ring = circle(s, "java.util.HashMap$Node", 5, "next", 2, **pair)
    lonely = s.nodes("java.util.HashMap$Node", 2)
    s.made("java.util.HashMap", size=9, table=d.refs("java.util.HashMap$Node[]", [ring[0], ring[4], lonely, lonely]))
    s.made("java.util.HashMap", size=3, table=d.refs("java.util.HashMap$Node[]", [
        d.obj("java.util.HashMap$Node", key=s.thing(), value=0xdead0008, next=0xdead0010), 0xdead0008, s.dot]))
    first = circle(s, "java.util.LinkedHashMap$Entry", 4, "after", 1, **pair)[0]
    s.made("java.util.LinkedHashMap", size=2 ** 31 - 1, table=s.array(4, 4), head=first)
    s.made("java.util.LinkedList", size=7, first=circle(s, "java.util.LinkedList$Node", 3, "next", 0, has=("item",))[0])
    at = circle(s, "java.util.TreeMap$Entry", 3, "left", 0, **pair)
    s.made("java.util.TreeMap", size=3, root=at[1])
    deep = 0
    for _ in range(1000):
        deep = d.obj("java.util.TreeMap$Entry", key=s.thing(), left=deep)
    s.made("java.util.TreeMap", size=1000, root=deep)
    s.made("java.util.TreeMap", size=1, root=s.array(3, 3))
    name = C + "ConcurrentHashMap"
    table, bin = d.reserve("java.util.HashMap$Node[]"), d.reserve(name + "$TreeBin")
    moved = d.obj(name + "$ForwardingNode", nextTable=table)
    d.obj(name + "$TreeBin", bin, first=bin)
    d.refs("java.util.HashMap$Node[]", [moved, bin, s.nodes(name + "$Node", 1, has=("key", "val"))], table)
    s.made(name, baseCount=1, table=table)
    s.made(C + "ArrayBlockingQueue", count=3, takeIndex=9, items=s.array(4, 3))
    s.made("java.util.EnumMap", size=9, keyUniverse=s.dot, vals=s.array(3, 3))
    return s.build()


MAKERS = {"elements": elements, "elements_old": elements_old, "elements_bad": elements_bad}
