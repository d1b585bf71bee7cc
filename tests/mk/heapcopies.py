# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapcopies.py - collections of all classes and fills, and duplicates, for mkheap.py.

lists     HotSpot: the collections of java.util in JDK 9 and later, on the statics of com.example.Shelf and
          the fields of com.example.Owner: full, half empty, empty, without an array, with a shared empty array, sets over maps,
          subclasses, counters in several cells, chains in one bucket.
lists7    the same classes as JDK 5 to 7 and Android until 6 spell them: segments, backingMap, array, header.
lists_art the collections of Android, the support library and AndroidX, old and new.
lists_bad hostile ones: sizes below 0 and beyond the array, tables of a wrong type, queues that go round.
copies    Strings of one text in all coders, arrays of one content, arrays of zeros, copies that nobody reaches.
copies6   Strings that share arrays by offset and count.
"""
from heapfile import BYTE, CHAR, DOUBLE, INT, LONG, OBJECT, SHORT, Dump
from heapjava import JAVA, PRIMS

LETTERS = {"I": INT, "J": LONG, "Z": 4, "F": 6, "B": BYTE}
C = "java.util.concurrent."
IMMUTABLE = "java.util.ImmutableCollections"

NEW = (
    ("java.util.AbstractList", "modCount:I"), ("java.util.ArrayList<java.util.AbstractList", "elementData size:I"),
    ("java.util.Vector<java.util.AbstractList", "elementData elementCount:I capacityIncrement:I"),
    ("java.util.Stack<java.util.Vector", ""), ("java.util.Arrays$ArrayList<java.util.AbstractList", "a"),
    ("java.util.ArrayDeque", "elements head:I tail:I"), ("java.util.LinkedList<java.util.AbstractList", "size:I first last"),
    ("java.util.LinkedList$Node", "item next prev"), ("java.util.AbstractMap", "keySet values"),
    ("java.util.HashMap<java.util.AbstractMap", "table entrySet size:I modCount:I threshold:I loadFactor:F"),
    ("java.util.HashMap$Node", "hash:I key value next"),
    ("java.util.LinkedHashMap<java.util.HashMap", "head tail accessOrder:Z"), ("java.util.HashSet", "map"),
    ("java.util.LinkedHashSet<java.util.HashSet", ""), ("java.util.TreeMap<java.util.AbstractMap", "root size:I"),
    ("java.util.TreeMap$Entry", "key value left right parent"), ("java.util.TreeSet", "m"),
    ("java.util.Hashtable", "table count:I threshold:I"), ("java.util.Properties<java.util.Hashtable", "defaults map"),
    ("java.util.IdentityHashMap<java.util.AbstractMap", "table size:I"),
    ("java.util.WeakHashMap<java.util.AbstractMap", "table size:I queue"),
    ("java.util.WeakHashMap$Entry<java.lang.ref.WeakReference", "value hash:I next"),
    ("java.util.EnumMap", "keyType vals size:I"), ("java.util.PriorityQueue", "queue size:I comparator"),
    ("java.util.Collections$SetFromMap", "m s"), ("java.util.Collections$SynchronizedMap", "m mutex"),
    (IMMUTABLE + "$List12", "e0 e1"), (IMMUTABLE + "$ListN", "elements"), (IMMUTABLE + "$SetN", "elements size:I"),
    (IMMUTABLE + "$Set12", "e0 e1"), (IMMUTABLE + "$Map1", "k0 v0"), (IMMUTABLE + "$MapN", "table size:I"),
    (C + "ConcurrentHashMap<java.util.AbstractMap", "table nextTable baseCount:J counterCells"),
    (C + "ConcurrentHashMap$Node", "hash:I key val next"), (C + "ConcurrentHashMap$CounterCell", "value:J"),
    (C + "ConcurrentHashMap$CollectionView", "map"),
    (C + "ConcurrentHashMap$KeySetView<" + C + "ConcurrentHashMap$CollectionView", "value"),
    (C + "CopyOnWriteArrayList", "lock array"), (C + "CopyOnWriteArraySet", "al"),
    (C + "ConcurrentLinkedQueue", "head tail"), (C + "ConcurrentLinkedQueue$Node", "item next"),
    (C + "ConcurrentLinkedDeque", "head tail"), (C + "ConcurrentLinkedDeque$Node", "prev item next"),
    (C + "atomic.AtomicInteger", "value:I"), (C + "LinkedBlockingQueue", "capacity:I count head"),
    (C + "LinkedBlockingDeque", "count:I capacity:I first"), (C + "ArrayBlockingQueue", "items takeIndex:I count:I"),
    (C + "PriorityBlockingQueue", "queue size:I"), (C + "DelayQueue", "q"),
    ("com.example.Registry<java.util.HashMap", "size:J note"), ("com.example.Names<java.util.ArrayList", "tag:I"),
)
OLD = (
    ("java.util.AbstractList", "modCount:I"), ("java.util.ArrayList<java.util.AbstractList", "size:I array"),
    ("java.util.LinkedList<java.util.AbstractList", "header size:I"), ("java.util.AbstractMap", "keySet"),
    ("java.util.HashMap<java.util.AbstractMap", "entryForNullKey size:I table threshold:I"),
    ("java.util.HashMap$HashMapEntry", "hash:I key value next"), ("java.util.HashSet", "backingMap"),
    ("java.util.TreeMap<java.util.AbstractMap", "root size:I"), ("java.util.TreeSet", "backingMap"),
    ("java.util.Hashtable", "size:I table"), ("java.util.Properties<java.util.Hashtable", "defaults"),
    ("java.util.IdentityHashMap<java.util.AbstractMap", "elementData size:I"),
    ("java.util.WeakHashMap<java.util.AbstractMap", "elementData elementCount:I"),
    ("java.util.PriorityQueue", "elements size:I"), (C + "CopyOnWriteArrayList", "elements"),
    (C + "ConcurrentHashMap<java.util.AbstractMap", "segments"), (C + "ConcurrentHashMap$Segment", "count:I table"),
    (C + "PriorityBlockingQueue", "q"), (IMMUTABLE + "$List1", "e0"), (IMMUTABLE + "$List2", "e0 e1"),
)
SPARSE = "mKeys mValues mSize:I"
ANDROID = (
    ("android.util.ArrayMap", "mHashes mArray mSize:I"), ("android.util.ArraySet", "mHashes mArray mSize:I"),
    ("android.util.SparseArray", "mGarbage:Z " + SPARSE), ("android.util.SparseIntArray", SPARSE),
    ("android.util.SparseBooleanArray", SPARSE), ("android.util.SparseLongArray", SPARSE),
    ("android.util.LongSparseArray", "mGarbage:Z " + SPARSE), ("android.util.LongSparseLongArray", SPARSE),
    ("android.support.v4.util.SimpleArrayMap", "mHashes mArray mSize:I"),
    ("android.support.v4.util.ArrayMap<android.support.v4.util.SimpleArrayMap", "mCollections"),
    ("android.support.v4.util.SparseArrayCompat", "mGarbage:Z " + SPARSE),
    ("androidx.collection.SimpleArrayMap", "hashes array size:I"),
    ("androidx.collection.ArrayMap<androidx.collection.SimpleArrayMap", "mEntrySet"),
    ("androidx.collection.ArraySet", "hashes array _size:I"),
    ("androidx.collection.SparseArrayCompat", "garbage:Z keys values size:I"),
    ("androidx.collection.LongSparseArray", "garbage:Z keys values size:I"),
    ("androidx.collection.CircularArray", "elements head:I tail:I capacityBitmask:I"),
)
ARRAYS = ("java.lang.Object[]", "java.util.HashMap$Node[]", "java.util.HashMap$HashMapEntry[]",
          C + "ConcurrentHashMap$Segment[]", C + "ConcurrentHashMap$CounterCell[]")


class Shelf:
    """A dump with these classes; what put gets is a static of com.example.Shelf."""

    def __init__(self, classes, **how):
        self.d = d = Dump(**how)
        for name, sup, fields in JAVA:
            if not name.startswith("java.util."):
                d.klass(name, sup, fields)
        for name in [p + "[]" for p in PRIMS] + list(ARRAYS):
            d.klass(name)
        for spec, fields in classes:
            name, _, sup = spec.partition("<")
            fields = [(f.partition(":")[0], LETTERS.get(f.partition(":")[2], OBJECT)) for f in fields.split()]
            d.klass(name, sup or "java.lang.Object", fields)
        d.klass("com.example.Owner", fields=[("mine", OBJECT), ("also", OBJECT)])
        self.kept = []
        self.dot = d.obj("java.lang.Object")

    def put(self, at, name=None):
        self.kept.append((name or "c%d" % len(self.kept), OBJECT, at))
        return at

    def array(self, length, n=0, what=None):
        """The first n of length are taken."""
        return self.d.refs("java.lang.Object[]", [what or self.dot] * n + [0] * (length - n))

    def made(self, cname, **values):
        return self.put(self.d.obj(cname, **values))

    def table(self, length, buckets, node="java.util.HashMap$Node"):
        """Chains of nodes: as many in each bucket as the list says."""
        d, heads = self.d, []
        for n in buckets:
            at = 0
            for _ in range(n):
                at = d.obj(node, key=self.dot, next=at)
            heads.append(at)
        return d.refs("java.util.HashMap$Node[]", heads + [0] * (length - len(heads)))

    def build(self):
        d = self.d
        d.klass("com.example.Shelf", statics=self.kept)
        d.root("sticky class", d.classes["com.example.Shelf"].id)
        return d.build()


def maps(s):
    d = s.d
    for size, length, buckets in ((12, 16, [1] * 12), (3, 1024, [1] * 3), (10, 64, [10]), (0, 16, []), (0, 1, [])):
        s.made("java.util.HashMap", size=size, table=s.table(length, buckets))
    s.made("java.util.HashMap")
    s.made("java.util.LinkedHashMap", size=5, table=s.table(16, [2, 0, 3]))
    s.made("com.example.Registry", HashMap__size=4, Registry__size=-1, table=s.table(8, [4]))
    for size, length in ((6, 16), (0, 64)):
        inner = d.obj("java.util.HashMap", size=size, table=s.table(length, [1] * size))
        s.made("java.util.HashSet" if size else "java.util.LinkedHashSet", map=inner)
    both = s.put(d.obj("java.util.HashMap", size=2, table=s.table(16, [2])))
    s.made("java.util.HashSet", map=both)
    s.made("java.util.TreeMap", size=7)
    s.made("java.util.TreeSet", m=d.obj("java.util.TreeMap", size=3))
    s.made("java.util.Hashtable", count=3, table=s.table(11, [2, 1]))
    s.made("java.util.IdentityHashMap", size=4, table=s.array(64, 8))
    s.made("java.util.WeakHashMap", size=2, table=d.refs("java.lang.Object[]", [
        d.obj("java.util.WeakHashMap$Entry", referent=s.dot, value=s.dot)] + [0] * 15))
    s.made("java.util.EnumMap", size=2, vals=s.array(7, 2))
    s.made("java.util.Collections$SynchronizedMap", m=d.obj("java.util.HashMap"))
    concurrent(s)


def concurrent(s):
    d, node = s.d, C + "ConcurrentHashMap$Node"
    cells = [d.obj(C + "ConcurrentHashMap$CounterCell", value=v) for v in (5, -2)] + [0, 0]
    for base, more, length, buckets in ((9, 0, 16, [4, 4, 1]), (-1, cells, 64, [2]), (0, 0, 32, [])):
        counter = d.refs(C + "ConcurrentHashMap$CounterCell[]", more) if more else 0
        s.made(C + "ConcurrentHashMap", baseCount=base, counterCells=counter, table=s.table(length, buckets, node))
    s.made(C + "ConcurrentHashMap")
    s.made("java.util.Properties", map=d.obj(C + "ConcurrentHashMap", baseCount=2, table=s.table(8, [1, 1], node)))
    s.made("java.util.Collections$SetFromMap", m=d.obj(C + "ConcurrentHashMap", table=s.table(16, [], node)))
    s.made(C + "ConcurrentHashMap$KeySetView", map=d.obj(C + "ConcurrentHashMap", baseCount=1, table=s.table(4, [1], node)))
    view, mine = d.reserve(C + "ConcurrentHashMap$KeySetView"), d.reserve(C + "ConcurrentHashMap")
    d.obj(C + "ConcurrentHashMap$KeySetView", view, map=mine)
    s.put(d.obj(C + "ConcurrentHashMap", mine, baseCount=1, keySet=view, table=s.table(4, [1], node)))
    s.made(C + "CopyOnWriteArrayList", array=s.array(3, 3))
    s.made(C + "CopyOnWriteArraySet", al=d.obj(C + "CopyOnWriteArrayList", array=s.array(0)))
    for kind in ("Queue", "Deque"):
        at = 0
        for n in range(5):
            at = d.obj(C + "ConcurrentLinked%s$Node" % kind, item=s.dot if n < 4 else 0, next=at)
        s.made(C + "ConcurrentLinked" + kind, head=at)
    s.made(C + "LinkedBlockingQueue", count=d.obj(C + "atomic.AtomicInteger", value=6))
    s.made(C + "LinkedBlockingDeque", count=8)
    s.made(C + "ArrayBlockingQueue", count=2, items=s.array(10, 2))
    s.made(C + "PriorityBlockingQueue", size=1, queue=s.array(11, 1))
    s.made(C + "DelayQueue", q=d.obj("java.util.PriorityQueue", size=0, queue=s.array(11)))


def lists():
    s = Shelf(NEW)
    d = s.d
    shared = s.put(s.array(0), "none")
    for size, length in ((3, 1000), (10, 10), (0, 64), (0, 0), (1, 10)):
        s.made("java.util.ArrayList", size=size, elementData=s.array(length, size))
    s.made("java.util.ArrayList", elementData=shared)
    s.made("java.util.ArrayList")
    s.made("com.example.Names", size=2, elementData=s.array(6, 2), tag=9)
    s.made("java.util.Stack", elementCount=4, elementData=s.array(10, 4))
    s.made("java.util.Arrays$ArrayList", a=s.array(5, 5))
    for head, tail, length in ((2, 5, 16), (14, 3, 16), (4, 4, 16), (0, 0, 1)):
        s.made("java.util.ArrayDeque", elements=s.array(length), head=head, tail=tail)
    s.made("java.util.LinkedList", size=2, first=d.obj("java.util.LinkedList$Node"))
    s.made("java.util.LinkedList")
    s.made("java.util.PriorityQueue", size=3, queue=s.array(11, 3))
    empty = d.obj("java.lang.Object")
    d.klass(IMMUTABLE, statics=[("EMPTY", OBJECT, empty)])
    for e1 in (0, empty, s.dot):
        s.made(IMMUTABLE + "$List12", e0=s.dot, e1=e1)
        s.made(IMMUTABLE + "$Set12", e0=s.dot, e1=e1)
    for n in (4, 0):
        s.made(IMMUTABLE + "$ListN", elements=s.array(n, n))
        s.made(IMMUTABLE + "$SetN", elements=s.array(2 * n, n), size=n)
        s.made(IMMUTABLE + "$MapN", table=s.array(4 * n, 2 * n), size=n)
    s.made(IMMUTABLE + "$Map1", k0=s.dot, v0=s.dot)
    maps(s)
    for n in (0, 2):
        inner = d.obj("java.util.ArrayList", size=n, elementData=s.array(8, n))
        node = d.obj("java.util.HashMap$Node", value=inner)
        outer = d.obj("java.util.HashMap", size=1, table=d.refs("java.util.HashMap$Node[]", [node, 0]))
        s.made("com.example.Owner", mine=outer)
    d.obj("java.util.ArrayList", size=0, elementData=s.array(10))
    d.obj("java.util.HashSet", map=d.obj("java.util.HashMap", size=1, table=s.table(4, [1])))
    return s.build()


def lists7():
    s = Shelf(OLD, layout="coops-old")
    d = s.d
    for at, (cname, method) in enumerate((("java.util.ArrayList", "<init>"), ("com.example.Owner", "fill"),
                                          ("com.example.Owner", "main"), ("java.util.HashSet", "<init>"))):
        d.frame(0x900 + at, cname, method, "()V", "X.java", 7 + at)
    d.stack(301, 0, [0x900, 0x901, 0x902])
    d.stack(302, 0, [0x900, 0x903])
    d.stack(303, 0, [0xdead])
    static = s.put(s.array(2), "EMPTY_TABLE")
    for trace, size in ((301, 1), (302, 2), (303, 3), (304, 0)):
        d.trace = trace
        s.made("java.util.ArrayList", size=size, array=s.array(5, size))
    d.trace = 1
    s.made("java.util.ArrayList", size=2, array=s.array(12, 2))
    s.made("java.util.LinkedList", size=3, header=s.dot)
    s.made("java.util.HashMap", size=0, table=static)
    s.made("java.util.HashMap", size=0, table=static)
    entry = d.obj("java.util.HashMap$HashMapEntry", key=s.dot)
    s.made("java.util.HashMap", size=2, table=d.refs("java.util.HashMap$HashMapEntry[]", [entry, 0, 0, 0]),
           entryForNullKey=d.obj("java.util.HashMap$HashMapEntry"))
    s.made("java.util.HashSet", backingMap=d.obj("java.util.HashMap", size=0, table=static))
    s.made("java.util.TreeSet", backingMap=d.obj("java.util.TreeMap", size=4))
    s.made("java.util.Hashtable", size=1, table=s.array(4, 1))
    s.made("java.util.Properties", size=3, table=s.array(4, 3))
    s.made("java.util.IdentityHashMap", size=1, elementData=s.array(20, 2))
    s.made("java.util.WeakHashMap", elementCount=2, elementData=s.array(16, 2))
    s.made("java.util.PriorityQueue", size=2, elements=s.array(11, 2))
    s.made(C + "CopyOnWriteArrayList", elements=s.array(2, 2))
    s.made(C + "PriorityBlockingQueue", q=d.obj("java.util.PriorityQueue", size=1, elements=s.array(3, 1)))
    for counts in ((2, 0, 1), (0, 0, 0)):
        parts = [d.obj(C + "ConcurrentHashMap$Segment", count=n, table=s.array(8, n)) for n in counts] + [0]
        s.made(C + "ConcurrentHashMap", segments=d.refs(C + "ConcurrentHashMap$Segment[]", parts))
    s.made(IMMUTABLE + "$List1", e0=s.dot)
    s.made(IMMUTABLE + "$List2", e0=s.dot, e1=s.dot)
    return s.build()


def lists_art():
    s = Shelf(ANDROID)
    d = s.d
    gone = s.put(d.obj("java.lang.Object"), "DELETED")
    text = d.text("value")
    none = s.put(d.prims(INT, []), "INTS"), s.put(s.array(0), "OBJECTS")
    for name, h, a, n, each in (("android.util.ArrayMap", "mHashes", "mArray", "mSize", 2),
                                ("android.util.ArraySet", "mHashes", "mArray", "mSize", 1),
                                ("android.support.v4.util.ArrayMap", "mHashes", "mArray", "mSize", 2),
                                ("androidx.collection.ArrayMap", "hashes", "array", "size", 2),
                                ("androidx.collection.ArraySet", "hashes", "array", "_size", 1)):
        for size, room in ((3, 8), (0, 4), (4, 4)):
            s.made(name, **{h: d.prims(INT, [0] * room), a: s.array(each * room, each * size), n: size})
        s.made(name, **{h: none[0], a: none[1]})
    for name, key, val in (("android.util.SparseIntArray", INT, INT), ("android.util.SparseBooleanArray", INT, 4),
                           ("android.util.SparseLongArray", INT, LONG), ("android.util.LongSparseLongArray", LONG, LONG)):
        for size in (0, 2):
            s.made(name, mKeys=d.prims(key, [0] * 10), mValues=d.prims(val, [0] * 10), mSize=size)
    for name, key, m in (("android.util.SparseArray", INT, True), ("android.util.LongSparseArray", LONG, True),
                         ("android.support.v4.util.SparseArrayCompat", INT, True),
                         ("androidx.collection.SparseArrayCompat", INT, False),
                         ("androidx.collection.LongSparseArray", LONG, False)):
        k, v, n, g = ("mKeys", "mValues", "mSize", "mGarbage") if m else ("keys", "values", "size", "garbage")
        for dirty in (True, False):
            values = d.refs("java.lang.Object[]", [text, gone, 0, gone] + [0] * 6)
            s.made(name, **{k: d.prims(key, [0] * 11), v: values, n: 4, g: dirty})
    s.made("androidx.collection.CircularArray", elements=s.array(8), head=6, tail=1)
    return s.build()


def lists_bad():
    s = Shelf(NEW)
    d = s.d
    wrong = d.prims(INT, range(8))
    for size in (-1, 9, -2 ** 31, 2 ** 31 - 1):
        s.made("java.util.ArrayList", size=size, elementData=s.array(8, 8))
        s.made("java.util.HashMap", size=size, table=s.table(8, [1]))
        s.made("java.util.IdentityHashMap", size=size, table=s.array(7))
        s.made(IMMUTABLE + "$SetN", size=size, elements=s.array(3))
        s.made("java.util.ArrayDeque", elements=s.array(4), head=size, tail=0)
        s.made(C + "LinkedBlockingDeque", count=size)
    s.made("java.util.HashMap", size=1, table=wrong)
    s.made("java.util.HashMap", size=1)
    s.made("java.util.HashMap", size=1, table=0xdead0008)
    s.made("java.util.ArrayList", size=1, elementData=s.dot)
    s.made("java.util.HashSet", map=s.dot)
    s.made("java.util.HashSet")
    itself = d.reserve("java.util.HashSet")
    s.put(d.obj("java.util.HashSet", itself, map=itself))
    s.made(C + "ConcurrentHashMap", counterCells=wrong)
    s.made(C + "ConcurrentHashMap", counterCells=s.array(4, 2))
    s.made(C + "ConcurrentHashMap", baseCount=-7, table=s.table(4, []))
    s.made(C + "LinkedBlockingQueue", count=s.dot)
    s.made(C + "ConcurrentLinkedQueue", head=s.dot)
    name = C + "ConcurrentLinkedQueue$Node"
    one, two = d.reserve(name), d.reserve(name)
    d.obj(name, one, item=s.dot, next=two)
    d.obj(name, two, item=s.dot, next=one)
    s.made(C + "ConcurrentLinkedQueue", head=one)
    ring = d.reserve(name)
    d.obj(name, ring, item=s.dot, next=ring)
    s.made(C + "ConcurrentLinkedQueue", head=ring)
    return s.build()


# ---- copies ---------------------------------------------------------------------------


def texts(s):
    d = s.d
    at = [d.text(t) for t in ["twice"] * 2 + ["once", ""] + [""] * 2 + ["caf\u00e9"] * 3 + ["\u65e5\u672c"] * 2]
    at += [d.text("long " * 300 + end) for end in "aaab"]
    # Texts of one length that differ where no hash looks, and one that is there again.
    at += [d.text("x" * 300 + c + "x" * 400) for c in "abcdefgha"]
    wide = lambda t: d.obj("java.lang.String", value=d.prims(BYTE, t.encode("utf-16-le")), coder=1)
    at += [wide("twice"), wide("caf\u00e9"), wide("once more"), d.text("once more")]
    odd = d.prims(BYTE, "odd".encode("utf-16-le") + b"!")
    at += [d.obj("java.lang.String", value=odd, coder=1), d.text("odd")]
    at += [d.obj("java.lang.String", value=d.prims(CHAR, [ord(ch) for ch in "twice"]), coder=c) for c in (0, 1)]
    both = d.prims(BYTE, b"shared by two")
    at += [d.obj("java.lang.String", value=both) for _ in range(2)] + [d.text("shared by two")]
    at += [d.obj("java.lang.String"), d.obj("java.lang.String"), d.obj("java.lang.String", value=0xdead0008)]
    at += [d.obj("java.lang.String", value=d.prims(INT, range(3)))]
    return at


def values(s):
    d = s.d
    at = [d.prims(BYTE, bytes(range(n))) for n in (63, 63, 64, 64, 65, 64)]
    at += [d.prims(t, [0] * n) for t, n in ((BYTE, 64), (BYTE, 64), (LONG, 8), (LONG, 8), (INT, 15), (INT, 15), (INT, 16),
                                            (BYTE, 1000), (BYTE, 1000), (BYTE, 1000), (DOUBLE, 20))]
    at += [d.prims(t, list(range(100))) for t in (INT, INT, SHORT, CHAR, SHORT)]
    at += [d.prims(BYTE, bytes(500) + bytes([n]) + bytes(499)) for n in (0, 1, 2, 3, 4, 5, 6, 7, 2, 0)]
    at += [d.prims(BYTE, bytes([7]) * 200) for _ in range(3)]
    # The characters of a String are its own.
    mine = d.prims(BYTE, b"characters of a String, more than sixty-four of them, so that they count")
    at += [d.obj("java.lang.String", value=mine), d.prims(BYTE, b"characters of a String, more than sixty-four of them, so that they count")]
    return at


def copies():
    s = Shelf(())
    for at in texts(s) + values(s):
        s.put(at)
    for _ in range(3):
        s.d.text("nobody")
        s.d.text("twice")
        s.d.prims(BYTE, bytes(range(64)))
    return s.build()


def copies6():
    s = Shelf((), layout="nocoops", start=0x7f0000000000)
    d = s.d
    c = d.classes["java.lang.String"]
    c.fields[:] = [("value", OBJECT), ("offset", INT), ("count", INT), ("hash", INT)]
    long = d.prims(CHAR, [ord(ch) for ch in "main thread of main thread, and so on until sixty-four bytes are there"])
    part = lambda first, n, at=long: s.put(d.obj("java.lang.String", value=at, offset=first, count=n))
    for first, n in ((0, 4), (15, 4), (5, 6), (20, 6), (0, 11), (-1, 4), (60, 900), (900, 4), (3, -1)):
        part(first, n)
    own = [d.prims(CHAR, [ord(ch) for ch in "main"]) for _ in range(3)]
    for at in own + own[:1]:
        part(0, 4, at)
    other = d.prims(CHAR, [ord(ch) for ch in "only here"])
    for _ in range(3):
        part(0, 9, other)
    part(0, 9, d.prims(CHAR, [ord(ch) for ch in "only here, and more"]))
    return s.build()


MAKERS = {"lists": lists, "lists7": lists7, "lists_art": lists_art, "lists_bad": lists_bad, "copies": copies,
          "copies6": copies6}
