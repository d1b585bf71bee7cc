# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapowners.py - small heaps that show by what names objects are held, for namecheck.py; what is to be said of each beside it.

thread_locals  values by what has their key: a static, a field, nobody (an anonymous subclass), a key that is gone, or can
               only be reached weakly;
               a value that two of them share, in one thread
locals         local variables, of lambdas too; objects of hidden classes
two_statics    what two statics, and what two maps of one owner hold; what a timer has
loader         classes that only their loader has, and what two of them share; what the loader has itself
chains         lists through arrays, trees, maps in maps in maps
extended       collections of a program, with elements and fields of their own
buffers        direct buffers: with slices, freed, of files, of the module image
segments       memory segments: with views, closed, of files, of an arena alone; streams of zlib
deep_classes   300 classes that extend each other, of which the first declares a field; each with an object
own_kinds      each object has a class and a field of its own
pool           a thread local of more threads than referrers are looked at, with its static behind their entries
ended          threads that were not started, run without a root, or have ended, in a list
jdk_statics    what local variables and the JDK have: the one by statics, the other in another variable
key_sets       a set that is the view of a map which only it has, and the view that a map keeps
class_values   values of two ClassValues, of one of which a field has the key, for three classes; the last as JDK 25 has it
cleared        weak references in two lists, which the VM chained when it cleared them
"""
import struct

from heapfile import BYTE, INT, LONG, OBJECT, Dump
from heapjava import array_list, boot, hash_map

CLASSES = """
java.lang.ThreadLocal
java.lang.ThreadLocal$ThreadLocalMap table
java.lang.ThreadLocal$ThreadLocalMap$Entry:java.lang.ref.WeakReference value
java.lang.ClassValue version
java.lang.ClassValue$Version classValue
java.util.WeakHashMap:java.util.HashMap
java.util.WeakHashMap$Entry:java.lang.ref.WeakReference value next
java.lang.ClassValue$ClassValueMap:java.util.WeakHashMap cacheArray
java.lang.ClassValue$Entry:java.lang.ref.WeakReference value version
java.util.LinkedHashMap:java.util.HashMap head tail
java.util.LinkedList:java.util.AbstractList first last
java.util.LinkedList$Node item next prev
java.util.concurrent.ConcurrentHashMap:java.util.HashMap keySet
java.util.concurrent.ConcurrentHashMap$CollectionView map
java.util.concurrent.ConcurrentHashMap$KeySetView:java.util.concurrent.ConcurrentHashMap$CollectionView value
java.util.Timer queue
java.util.TaskQueue queue
java.nio.Buffer address.J capacity.I
java.nio.ByteBuffer:java.nio.Buffer hb
java.nio.MappedByteBuffer:java.nio.ByteBuffer fd
java.nio.DirectByteBuffer:java.nio.MappedByteBuffer att cleaner
java.nio.DirectByteBufferR:java.nio.DirectByteBuffer
jdk.internal.ref.Cleaner
jdk.internal.foreign.AbstractMemorySegmentImpl length.J scope
jdk.internal.foreign.NativeMemorySegmentImpl:jdk.internal.foreign.AbstractMemorySegmentImpl min.J
jdk.internal.foreign.MappedMemorySegmentImpl:jdk.internal.foreign.NativeMemorySegmentImpl unmapper
jdk.internal.foreign.MemorySessionImpl state.I resourceList
jdk.internal.foreign.ConfinedScope closed.I resourceList
jdk.internal.foreign.MemorySessionImpl$ResourceList fst
jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup next
jdk.internal.foreign.SegmentFactories$1:jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup val$allocationBase.J val$allocationSize.J
java.util.zip.ZStreamRef address.J
java.util.zip.Inflater zsRef
java.util.zip.Deflater zsRef
jdk.internal.jimage.BasicImageReader map
java.io.FileDescriptor fd.I
com.google.common.collect.Sets next
com.shop.Buffer bytes
com.shop.Parser key
com.shop.Job$1:java.lang.ThreadLocal
com.shop.Job task
com.shop.Job$$Lambda/0x00007f12aa row
com.shop.Job$$Lambda/0x00007f12bb row
com.shop.Item name
com.shop.Store byId byName spare
com.shop.Loader:java.lang.ClassLoader locks
com.shop.Cell next
com.shop.Link:com.shop.Cell other
com.shop.Tree left right
com.shop.Lru:java.util.LinkedHashMap hits
com.shop.Names:java.util.ArrayList audit
com.shop.Audit line
com.shop.Ref:java.lang.ref.WeakReference referent
"""
ARRAYS = ("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", "java.util.WeakHashMap$Entry[]", "java.lang.ClassValue$Entry[]", "com.shop.Cell[]", "com.shop.Item[]")
TYPES = {"J": LONG, "I": INT}


class Shop:
    def __init__(self):
        self.d = d = Dump()
        d.stack(1, 0, [])
        boot(d, ARRAYS)
        d.classes["java.lang.Thread"].fields.append(("threadLocals", OBJECT))
        d.classes["java.lang.ref.Reference"].fields.append(("discovered", OBJECT))
        for line in CLASSES.split("\n")[1:-1]:
            name, *fields = line.split(" ")
            name, _, sup = name.partition(":")
            d.klass(name, sup or "java.lang.Object", [(f.partition(".")[0], TYPES.get(f.partition(".")[2], OBJECT)) for f in fields])
        self.threads = 0

    def data(self, n=64):
        return self.d.prims(BYTE, bytes(n))

    def items(self, n):
        return [self.d.obj("com.shop.Item", name=self.data()) for _ in range(n)]

    def buffer(self):
        return self.d.obj("com.shop.Buffer", bytes=self.data(500))

    def statics(self, name, loader=0, **values):
        return self.d.klass("com.shop." + name, statics=[(k, OBJECT, v) for k, v in values.items()], loader=loader)

    def list(self, items):
        return array_list(self.d, items)

    def map(self, values, places=16):
        return hash_map(self.d, [("key %d" % k, v) for k, v in enumerate(values)], places)

    def thread(self, values=(), frames=()):
        """values: (key, value) of thread locals; frames: (method of com.shop.Job, its locals)."""
        d = self.d
        entries = [d.obj("java.lang.ThreadLocal$ThreadLocalMap$Entry", referent=k, value=v) for k, v in values]
        table = d.refs("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", entries + [0] * 4)
        self.threads += 1
        at = d.obj("java.lang.Thread", name=d.text("worker"), tid=self.threads,
                   threadLocals=d.obj("java.lang.ThreadLocal$ThreadLocalMap", table=table) if values else 0)
        d.stack(self.threads + 1, self.threads, [d.frame(10 * self.threads + k, "com.shop.Job", m, "()V", "Job.java", 7)
                                                 for k, (m, _) in enumerate(frames)])
        d.root("thread", at, self.threads, self.threads + 1)
        for k, (_, local) in enumerate(frames):
            for a in local:
                d.root("java frame", a, self.threads, k)
        return at

    def build(self):
        for c in list(self.d.classes.values()):
            if not c.loader:
                self.d.root("sticky class", c.id)
        return self.d.build()


def thread_locals(s):
    d = s.d
    fixed, own, lost = (d.obj(c) for c in ("java.lang.ThreadLocal", "java.lang.ThreadLocal", "com.shop.Job$1"))
    s.statics("Format", FORMAT=fixed)
    s.statics("Main", parsers=s.list([d.obj("com.shop.Parser", key=own)]))
    d.root("jni global", lost, 9)
    for _ in range(3):
        s.thread([(fixed, s.buffer()), (own, s.buffer()), (lost, s.buffer()), (0, s.buffer()),
                  (d.obj("java.lang.ThreadLocal"), s.buffer())])
    d.obj("com.shop.Buffer", bytes=lost)        # garbage says nothing
    both = s.items(1)[0]
    s.thread([(fixed, s.list([both])), (own, s.list([both]))])


def local_variables(s):
    d = s.d
    one, other = (d.obj("com.shop.Job$$Lambda/0x00007f12" + x, row=s.data()) for x in ("aa", "bb"))
    s.thread(frames=[("lambda$run$3", [s.list(s.items(9))]), ("run", [one])])
    s.thread(frames=[("lambda$run$17", [s.list(s.items(9))]), ("run", [other])])
    s.thread(frames=[("load$lambda$2", s.items(2))])


def two_statics(s):
    d = s.d
    items, more = s.items(30), s.items(20)
    s.statics("ByName", all=s.map(items))
    s.statics("ById", all=s.map(items))
    s.statics("Main", store=d.obj("com.shop.Store", byId=s.map(more), byName=s.map(more)))
    # Held by two objects of the JDK, of which a program has one.
    job = d.obj("com.shop.Job", task=s.data(900))
    queues = [d.obj("java.util.TaskQueue", queue=d.refs("java.lang.Object[]", [job])) for _ in range(2)]
    s.statics("Clock", timer=d.obj("java.util.Timer", queue=queues[0]))
    d.root("jni global", queues[0], 5)
    d.root("jni global", queues[1], 6)
    texts = [d.text("constant %d" % k) for k in range(7)]
    for _ in range(2):
        d.root("jni global", d.refs("java.lang.Object[]", texts), 7)


def loader(s):
    d = s.d
    at, shared = d.reserve("com.shop.Loader"), s.map(s.items(12))
    pages = s.statics("Pages", at, all=shared)
    rules = s.statics("Rules", at, last=shared, own=s.buffer())
    lock = d.obj("java.lang.Object")
    d.obj("com.shop.Loader", at, classes=s.list([pages.id, rules.id]), locks=s.list([lock]))
    d.root("jni global", at, 5)


def chains(s):
    d = s.d

    def list_of(n):
        at = 0
        for _ in range(n):
            at = d.obj("com.shop.Link", next=d.refs("com.shop.Cell[]", [d.obj("com.shop.Cell", next=at)]))
        return at

    def tree(depth):
        return d.obj("com.shop.Tree", left=tree(depth - 1), right=tree(depth - 1)) if depth else 0

    def maps(depth):
        return s.map([maps(depth - 1) for _ in range(2)]) if depth else s.data()

    def linked(n, items):
        nodes = [d.reserve("java.util.LinkedList$Node") for _ in range(n)]
        for k, a in enumerate(nodes):
            d.obj("java.util.LinkedList$Node", a, item=items[k], next=(nodes + [0])[k + 1], prev=nodes[k - 1] if k else 0)
        return d.obj("java.util.LinkedList", first=nodes[0], last=nodes[-1])
    s.statics("Main", list=list_of(40), tree=tree(6), maps=maps(3), deep=maps(6), linked=linked(25, s.items(25)))
    both = s.items(100)
    s.statics("Near", first=linked(100, both))
    s.statics("Other", second=linked(100, both))


def extended(s):
    d = s.d
    pairs = [(d.text("key"), i) for i in s.items(14)]
    nodes = [d.obj("java.util.HashMap$Node", key=k, value=v) for k, v in pairs]
    audit = [d.obj("com.shop.Audit", line=s.data()) for _ in range(11)]
    s.statics("Main", ref=d.obj("com.shop.Ref", Ref__referent=s.buffer(), Reference__referent=s.buffer()), lru=d.obj("com.shop.Lru", table=d.refs("java.util.HashMap$Node[]", nodes), hits=s.list(s.items(9))),
              names=d.obj("com.shop.Names", elementData=d.refs("java.lang.Object[]", s.items(5)), audit=s.list(audit)))


def buffers(s):
    d = s.d

    def direct(at, n, cname="DirectByteBuffer", **more):
        return d.obj("java.nio." + cname, address=at, capacity=n, **more)
    clean = lambda: d.obj("jdk.internal.ref.Cleaner")
    big = direct(0x100000, 1 << 20, cleaner=clean())
    s.statics("Images", all=s.list([big, direct(0x300000, 5000, cleaner=clean())]),
              views=s.list([direct(0x100000, 100, att=big), direct(0x100100, 1 << 19, "DirectByteBufferR", att=big)]),
              freed=direct(0, 4096), empty=direct(0x900000, 0),
              file=direct(0x500000, 1 << 21, fd=d.obj("java.io.FileDescriptor"), cleaner=clean()),
              bad=direct(-8, 4096), negative=direct(0x700000, -5))
    d.klass("jdk.internal.jimage.ImageReader", statics=[("reader", OBJECT, d.obj(
        "jdk.internal.jimage.BasicImageReader", map=direct(0x800000, 1 << 22)))])
    direct(0xa00000, 1 << 20, cleaner=clean())      # garbage


def segments(s):
    """Memory of arenas: segments and views of them, what no segment shows any more, closed ones, files; and zlib."""
    d, kind = s.d, "jdk.internal.foreign."

    def cleanups(*spans):
        first = 0
        for at, n in spans:
            first = d.obj(kind + "SegmentFactories$1", next=first, **{"val$allocationBase": at, "val$allocationSize": n})
        return d.obj(kind + "MemorySessionImpl$ResourceList", fst=first)
    scope = lambda *spans, state=0: d.obj(kind + "MemorySessionImpl", state=state, resourceList=cleanups(*spans))
    segment = lambda at, n, scope, cname="NativeMemorySegmentImpl": d.obj(kind + cname, min=at, length=n, scope=scope)
    open_, old = scope((0x100000, 1 << 20), (0x300000, 5008), (0x600000, 70000)), d.obj(kind + "ConfinedScope", closed=1)
    s.statics("Tiles", all=s.list([segment(0x100000, 1 << 20, open_), segment(0x300008, 5000, open_)]),
              views=s.list([segment(0x100400, 4096, open_), segment(0x1ff000, 8192, open_),
                            d.obj("java.nio.DirectByteBuffer", address=0x100000, capacity=1 << 20)]),
              closed=s.list([segment(0xa00000, 1 << 20, scope(state=-2)), segment(0xb00000, 1 << 20, old)]),
              file=segment(0xc00000, 1 << 20, scope(), "MappedMemorySegmentImpl"), everything=segment(0x1000, (1 << 63) - 1, scope()))
    stream = lambda cname, at: d.obj("java.util.zip." + cname, zsRef=d.obj("java.util.zip.ZStreamRef", address=at))
    s.statics("Packer", used=s.list([stream("Inflater", 16), stream("Deflater", 32), stream("Deflater", 48)]), ended=stream("Inflater", 0))


def deep_classes(s):
    d, above = s.d, "java.lang.Object"
    for k in range(300):
        d.klass("com.shop.Deep%d" % k, above, [("item", OBJECT)] if k == 0 else ())
        above = "com.shop.Deep%d" % k
    objects = [d.obj("com.shop.Deep%d" % k, item=item) for k, item in enumerate(s.items(300))]
    s.statics("Main", first=objects[0], last=objects[299], others=s.list(objects[1:299]))


def own_kinds(s):
    d, n = s.d, 70000
    at, ids = [], []
    for k in range(n):
        ids.append(0x900000000 + 128 * k)
        at.append(0xa00000000 + 16 * k)
        d.add(b"\x20" + struct.pack(">QIQQQQQQIHHH", ids[k], 1, d.classes["java.lang.Object"].id, *[0] * 9))
        d.head.append((2, 100000 + k, ids[k], d.name("com/shop/own/C%d" % k)))
        d.instance(at[k], ids[k], b"")
        d.root("sticky class", ids[k])
    s.statics("Main", all=d.refs("java.lang.Object[]", at))


def pool(s):
    key, kept = s.d.obj("java.lang.ThreadLocal"), s.d.obj("java.lang.ThreadLocal")
    for _ in range(100):
        s.thread([(key, s.buffer()), (kept, s.buffer())])
    parsers = [s.d.obj("com.shop.Parser", key=kept) for _ in range(100)]
    s.statics("Keys", ALL=key)
    s.statics("Kept", LAST=kept, parsers=s.list(parsers))


def ended(s):
    s.statics("Starter", all=s.list([s.d.obj("java.lang.Thread", name=s.data(), threadStatus=n) for n in (0, 5, 2, 0, 0x191, 2, 2)]))


def jdk_statics(s):
    d = s.d
    cached, served, done = s.items(11), s.items(12), s.items(13)
    timers, others = ([d.obj("java.util.Timer", queue=x) for x in items] for items in (served, done))
    s.thread(frames=[("load", [s.list(cached)]), ("serve", [s.list(served)]), ("run", [s.list(done), s.list(others)])])
    d.klass("java.lang.Cache", statics=[("all", OBJECT, s.map(cached))])
    d.klass("java.lang.Clock", statics=[("all", OBJECT, s.map(timers))])


def key_sets(s):
    d = s.d

    def concurrent(items, **more):
        nodes = [d.obj("java.util.HashMap$Node", key=i) for i in items]
        return d.obj("java.util.concurrent.ConcurrentHashMap", table=d.refs("java.util.HashMap$Node[]", nodes), **more)
    at = d.reserve("java.util.concurrent.ConcurrentHashMap$KeySetView")
    kept = concurrent(s.items(15), keySet=at)
    d.obj("java.util.concurrent.ConcurrentHashMap$KeySetView", at, map=kept)
    s.statics("Main", kept=kept, set=d.obj("java.util.concurrent.ConcurrentHashMap$KeySetView", map=concurrent(s.items(14))))


def cleared(s):
    at, last = [], 0
    for _ in range(24):
        last = s.d.obj("java.lang.ref.WeakReference", discovered=last)
        at.append(last)
    s.statics("Watchers", all=s.list(at[::2]))
    s.statics("Callers", all=s.list(at[1::2]))


def class_values(s):
    d = s.d
    plans, marks = (d.reserve("java.lang.ClassValue") for _ in range(2))
    version = {a: d.obj("java.lang.ClassValue$Version", classValue=a) for a in (plans, marks)}
    for a in version:
        d.obj("java.lang.ClassValue", a, version=version[a])
    s.statics("Plans", PLANS=plans)
    d.root("jni global", marks, 9)

    def entry(key, value, own):
        weak = {"version": d.obj("java.lang.ref.WeakReference", referent=version[key])} if own else {"referent": version[key]}
        return d.obj("java.lang.ClassValue$Entry", value=value, **weak)
    for k in range(3):
        values = [entry(plans, s.list(s.items(20 + k)), k == 2), entry(marks, s.buffer(), k == 2)]
        table = d.refs("java.util.WeakHashMap$Entry[]", [d.obj("java.util.WeakHashMap$Entry", value=v) for v in values] + [0, 0])
        d.obj("java.lang.ClassValue$ClassValueMap", table=table, cacheArray=d.refs("java.lang.ClassValue$Entry[]", values[:1] + [0]))


def made(fill):
    s = Shop()
    fill(s)
    return s.build()


FILLS = {f.__name__: f for f in (
    thread_locals, local_variables, two_statics, loader, chains, extended, buffers, segments, deep_classes, own_kinds,
    pool, ended, jdk_statics, key_sets, cleared, class_values)}
MAKERS = {name: lambda fill=fill: made(fill) for name, fill in FILLS.items()}

# Path, class and count, how many are nested.
TOLD = {
    "thread_locals": [("threads > thread local static com.shop.Format.FORMAT", "com.shop.Buffer", 3, 0),
                      ("threads > thread local com.shop.Parser.key", "com.shop.Buffer", 3, 0),
                      ("threads > thread local com.shop.Job$1", "com.shop.Buffer", 3, 0),
                      ("threads > thread local (key gone)", "com.shop.Buffer", 6, 0),
                      ("threads > thread local static com.shop.Format.FORMAT", "com.shop.Item", 1, 0)],
    "local_variables": [("threads > local of com.shop.Job.lambda$run", "java.util.ArrayList", 2, 0),
                        ("threads > local of com.shop.Job.lambda$run[]", "com.shop.Item", 18, 0),
                        ("threads > local of com.shop.Job.run", "com.shop.Job$$Lambda", 2, 0),
                        ("threads > local of com.shop.Job.load$lambda", "com.shop.Item", 2, 0)],
    "two_statics": [("com.shop.ById.all", "com.shop.Item", 30, 0),
                    ("static com.shop.Main.store > com.shop.Store.byId[]", "com.shop.Item", 20, 0),
                    ("com.shop.Clock.timer", "com.shop.Job", 1, 0), ("root: JNI global", "java.lang.String", 7, 0)],
    "loader": [("com.shop.Pages.all", "java.util.HashMap", 1, 0), ("com.shop.Pages.all[]", "com.shop.Item", 12, 0),
               ("static com.shop.Rules.own", "com.shop.Buffer", 1, 0),
               ("root: JNI global > com.shop.Loader.locks[]", "java.lang.Object", 1, 0)],
    "chains": [("static com.shop.Main.list", "com.shop.Link", 40, 39), ("static com.shop.Main.tree", "com.shop.Tree", 63, 62),
               ("static com.shop.Main.maps[][]", "java.util.HashMap", 4, 0), ("static com.shop.Main.linked[]", "com.shop.Item", 25, 0),
               ("com.shop.Near.first", "com.shop.Item", 100, 0)],
    "extended": [("static com.shop.Main.ref > com.shop.Ref.referent", "com.shop.Buffer", 1, 0),
                 ("static com.shop.Main.lru[]", "com.shop.Item", 14, 0),
                 ("static com.shop.Main.lru > com.shop.Lru.hits[]", "com.shop.Item", 9, 0),
                 ("static com.shop.Main.names[]", "com.shop.Item", 5, 0),
                 ("static com.shop.Main.names > com.shop.Names.audit[]", "com.shop.Audit", 11, 0)],
    "buffers": [("static com.shop.Images.views[]", "java.nio.DirectByteBuffer", 1, 0)],
    "segments": [("static com.shop.Packer.used[]", "java.util.zip.Deflater", 2, 0)],
    "deep_classes": [("static com.shop.Main.last > com.shop.Deep0.item", "com.shop.Item", 1, 0),
                     ("static com.shop.Main.first > com.shop.Deep0.item", "com.shop.Item", 1, 0)],
    "pool": [("threads > thread local static com.shop.Keys.ALL", "com.shop.Buffer", 100, 0),
             ("threads > thread local static com.shop.Kept.LAST", "com.shop.Buffer", 100, 0)],
    "ended": [("static com.shop.Starter.all[]", "java.lang.Thread", 5, 0), ("threads", "", 2, 0)],
    "jdk_statics": [("java.lang.Cache.all", "com.shop.Item", 11, 0), ("java.util.Timer.queue", "com.shop.Item", 12, 0),
                    ("threads > local of com.shop.Job.run", "com.shop.Item", 13, 0)],
    "key_sets": [("static com.shop.Main.set", "java.util.concurrent.ConcurrentHashMap$KeySetView", 1, 0),
                 ("static com.shop.Main.set[]", "com.shop.Item", 14, 0),
                 ("static com.shop.Main.kept", "java.util.concurrent.ConcurrentHashMap", 1, 0),
                 ("static com.shop.Main.kept[]", "com.shop.Item", 15, 0)],
    "cleared": [("static com.shop.Watchers.all[]", "java.lang.ref.WeakReference", 12, 0),
                ("static com.shop.Callers.all[]", "java.lang.ref.WeakReference", 12, 0)],
    "class_values": [("root: values of a class > com.shop.Plans.PLANS", "java.util.ArrayList", 3, 0),
                     ("root: values of a class > com.shop.Plans.PLANS[]", "com.shop.Item", 63, 0),
                     ("root: values of a class > java.lang.ClassValue", "com.shop.Buffer", 3, 0)],
    "own_kinds": [("static com.shop.Main.all > (other)", "", 65904, 0)],
}


def check(name, program, path):
    """The findings of the dump at path."""
    a = program.ask(path, "names | select path, class, count, nested", options=("--no-index",))
    rows = {(r["path"], r["class"], int(r["count"]), int(r["nested"] or 0)) for r in a.tables()[0].rows}
    return ["not reported: %s" % (row,) for row in TOLD.get(name, ()) if row not in rows]
