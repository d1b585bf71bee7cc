# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heaplimits.py - more small heaps with one trouble each, for heaptroubles.py: limits of collections, things in several collections of one
object, parts of things, local variables of several threads, pools at rest.

Each row of TROUBLES is as there.  CLASSES are those that these heaps need.
"""
import random

from heapfile import BOOLEAN, INT, OBJECT

MIB = 1 << 20
CLASSES = """
com.shop.Lru3 entries maxEntries.I maxIdle.J
com.shop.Lru4 entries maxActive.I
com.shop.Recent:java.util.LinkedHashMap
com.shop.Recent2:com.shop.Recent maxEntries.I
java.util.Collections$SynchronizedMap m
android.util.LruCache map maxSize.I size.I
com.google.common.cache.LocalCache$OneWeigher
com.shop.Weigher
com.shop.RingBoundedBuffer data
com.shop.RingUnboundedBoundedBuffer data
java.util.concurrent.ArrayBlockingQueue items
clojure.lang.Var root ns sym
clojure.lang.Namespace name
clojure.lang.Symbol name
java.util.TimerTask state.I
com.shop.Reminder:java.util.TimerTask data
org.apache.http.pool.AbstractConnPool leased available pending maxTotal.I
org.apache.http.pool.PoolEntry conn
io.reactivex.Slot observer
com.shop.Row items
"""
REGISTRY = "com.shop.Registry.done holds "
CACHE = "com.shop.Service.cache holds "


def keyed(s, things, key, sup="java.util.HashMap", **more):
    """A map of these things, with keys of that size."""
    return s.d.obj(sup, table=s.d.refs("java.util.HashMap$Node[]", [
        s.d.obj("java.util.HashMap$Node", key=s.data(key), value=x) for x in things]), size=len(things), **more)


# ---- limits --------------------------------------------------------------------------------


def limited(s, cname, n, **limits):
    """A cache of the program with a limit."""
    s.statics("Service", cache=s.d.obj(cname, entries=s.map(s.items(n, 5 * MIB // n), 256), **limits))


def guava(s, most, weigher=""):
    d = s.d
    d.classes["com.google.common.cache.LocalCache"].fields.append(("weigher", OBJECT))
    s.statics("Service", cache=d.obj("com.google.common.cache.LocalCache", maxWeight=most, weigher=d.obj(weigher) if weigher else 0,
                                     segments=d.refs("java.lang.Object[]", s.items(120, 40000))))


def android(s, most, used):
    s.statics("Service", cache=s.d.obj("android.util.LruCache", map=s.map(s.items(120, 40000), 256), maxSize=most, size=used))


def android_many(s, caches, most):
    """Several such caches, which have the things together."""
    s.statics("Service", all=s.list([s.d.obj("android.util.LruCache", map=s.map(s.items(30, 40000), 64), maxSize=most, size=0) for _ in range(caches)]))


def recent(s, changes, by_access=False, cname="com.shop.Recent", wrapped=False, **more):
    """A LinkedHashMap of the program, which was changed so many times."""
    s.d.classes["java.util.HashMap"].fields.append(("modCount", INT))
    s.d.classes["java.util.LinkedHashMap"].fields.append(("accessOrder", BOOLEAN))
    at = keyed(s, s.items(120, 40000), 64, cname, modCount=changes, accessOrder=by_access, **more)
    s.statics("Service", cache=s.d.obj("java.util.Collections$SynchronizedMap", m=at) if wrapped else at)


def blocking(s, n, capacity):
    """A queue in no pool."""
    d, at = s.d, 0
    d.classes["java.util.concurrent.LinkedBlockingQueue"].fields.append(("capacity", INT))
    for _ in range(n):
        at = d.obj("java.util.concurrent.LinkedBlockingQueue$Node", item=d.obj("com.shop.Task", data=s.data(5 * MIB // n)), next=at)
    s.statics("Service", cache=d.obj("java.util.concurrent.LinkedBlockingQueue", head=at, capacity=capacity))


def named(s, cname, n=120):
    field = "items" if cname.startswith("java.") else "data"
    s.statics("Service", cache=s.d.obj(cname, **{field: s.d.refs("java.lang.Object[]", s.items(n, 5 * MIB // n))}))


def in_entries(s, cname, entries, each):
    """A bounded buffer of rows, each of which has a list that no limit applies to."""
    rows = [s.d.obj("com.shop.Row", items=s.list(s.items(each, 5 * MIB // (entries * each)))) for _ in range(entries)]
    s.statics("Service", cache=s.d.obj(cname, data=s.d.refs("java.lang.Object[]", rows)))


# ---- several collections of one object --------------------------------------------------------


def indexes(s, n, size, key, stores=1, second=0, apart=False):
    """A store whose two maps have the same items, under keys of their own; second: keys of only so many; apart: other items in each."""
    made = []
    for _ in range(stores):
        items = s.items(n, size)
        others = s.items(n, size) if apart else items
        made.append(s.d.obj("com.shop.Store", byId=keyed(s, items, key), byName=keyed(s, others[:second or n], key)))
    s.statics("Main", **({"store": made[0]} if stores == 1 else {"stores": s.list(made)}))


def many_indexes(s, maps, library=False):
    """Also through an object of a library that each map has of its own."""
    items = [s.d.obj("kotlinx.Handle", item=s.data(20000)) for _ in range(60)] if library else s.items(60, 20000)
    s.statics("Main", index=s.d.obj("com.shop.Mixed", **{"part%d" % k: keyed(s, items, 12000) for k in range(maps)}))


# ---- parts of things -----------------------------------------------------------------------------


def growing_apart(s, owners, each, size, more):
    """A list in each of many, the first with some more."""
    s.statics("Bank", desks=s.list([s.d.obj("com.shop.Desk", mails=s.list(s.items(each + (more if k == 0 else 0), size))) for k in range(owners)]))


def two_parts(s, n, name, rest):
    """Things with data and something else."""
    s.statics("Registry", done=s.list([s.d.obj("com.shop.Desk", mails=s.data(name), calls=s.data(rest)) for _ in range(n)]))


def kept_all(s, n, changes):
    items = s.items(n, 5 * MIB // n)
    s.statics("Registry", done=s.d.obj("java.util.ArrayList", elementData=s.d.refs("java.lang.Object[]", items + [0] * 8), size=n, modCount=changes))


def kept_set(s, n):
    inner = keyed(s, [0] * n, 5 * MIB // n)
    s.d.classes["java.util.HashMap"].fields
    s.statics("Registry", done=s.d.obj("java.util.HashSet", map=inner))


def elsewhere(s, n, others):
    """A list, some of whose things somebody else has, too."""
    items = s.items(n, 45000)
    s.statics("Registry", done=s.list(items))
    s.statics("Other", few=s.list(items[:others]))


def timers(s, n, cancelled):
    d = s.d
    tasks = [d.obj("com.shop.Reminder", data=s.data(40000), state=3 if k < cancelled else 1) for k in range(n)]
    s.statics("Clock", timer=d.obj("java.util.Timer", queue=d.obj("java.util.TaskQueue", queue=d.refs("java.lang.Object[]", tasks + [0] * 8))))


def ring(s, n, holes=0, larger=0, size=20000):
    """An array of the program's own, as long as rings are."""
    items = s.items(n - 1, size) + s.items(1, larger or size)
    s.statics("Table", ring=s.d.refs("java.lang.Object[]", items + [0] * holes))


# ---- holders ----------------------------------------------------------------------------------


def locals_of(s, threads, method="load", size=40000):
    """A thing with a list in a local variable of each thread."""
    for k in range(threads):
        s.worker("load-%d" % k, [("com.shop.Job", method, s.d.obj("com.shop.Account", orders=s.list(s.items(60, size))))])


def same_field(s, together):
    """The same field in objects of two collections, of one object or of two."""
    desks = lambda: s.list([s.d.obj("com.shop.Desk", mails=s.list(s.items(60, 7000))) for _ in range(12)])
    if together:
        s.statics("Main", store=s.d.obj("com.shop.Store", byId=desks(), spare=s.d.obj("com.shop.Account", orders=desks())))
    else:
        s.statics("Main", store=desks())
        s.statics("Other", store=desks())


def slots(s, n, screens):
    """A library holds n observers in two places, one of which objects of the program have: so many, with some each."""
    observers = [s.d.obj("io.reactivex.Observer", value=s.data(40000)) for _ in range(n)]
    s.d.klass("io.reactivex.All", statics=[("one", OBJECT, s.d.refs("java.lang.Object[]", [s.d.obj("io.reactivex.Hide", downstream=a) for a in observers]))])
    s.statics("Screens", open=s.list([s.d.obj("com.shop.Account", orders=s.d.refs("java.lang.Object[]", [
        s.d.obj("io.reactivex.Slot", observer=a) for a in observers[k::screens]])) for k in range(screens)]))


def var(s, named_=True):
    """The value of a Var of Clojure."""
    d, symbol = s.d, lambda text: s.d.obj("clojure.lang.Symbol", name=s.d.text(text))
    at = d.obj("clojure.lang.Var", root=s.list(s.items(120, 40000)), sym=symbol("cache") if named_ else 0,
               ns=d.obj("clojure.lang.Namespace", name=symbol("shop.core")))
    d.klass("com.shop.core__init", statics=[("const__1", OBJECT, at)])


# ---- pools -----------------------------------------------------------------------------------------


def netty(s, free, used):
    """Chunks of 1000 bytes by their own account, of which so many are free; so many buffers."""
    d = s.d
    d.classes["io.netty.buffer.PoolChunk"].fields += [("chunkSize", INT), ("freeBytes", INT)]
    chunks = [d.obj("io.netty.buffer.PoolChunk", memory=s.data(200000), chunkSize=1000, freeBytes=free) for _ in range(24)]
    d.klass("io.netty.buffer.PooledByteBufAllocator", statics=[("DEFAULT", OBJECT, d.refs("java.lang.Object[]", chunks))])
    s.statics("Handler", inflight=s.list([d.obj("io.netty.buffer.PooledUnsafeDirectByteBuf", chunk=chunks[0]) for k in range(used)]))


def connections(s, leased, idle, each=40000):
    """Connections of a pool, with their buffers."""
    entries = lambda n: s.list([s.d.obj("org.apache.http.pool.PoolEntry", conn=s.d.obj("com.shop.Buffer", bytes=s.data(each))) for _ in range(n)])
    s.statics("Client", pool=s.d.obj("org.apache.http.pool.AbstractConnPool", leased=entries(leased), available=entries(idle),
                                     pending=s.list([]), maxTotal=leased + idle))


# ---- classes -----------------------------------------------------------------------------------------


def loaded(s, n, loaders, size):
    """Numbered classes, and class loaders with data."""
    d, at = s.d, 0
    known, of = [], []
    for k in range(n):
        if k < loaders:
            at = d.obj("com.shop.Loader", locks=s.data(size))
            of.append(at)
        d.klass("com.shop.Script%d" % k, loader=at, statics=[])
        known.append(d.obj("com.shop.Script%d" % k))
    s.statics("Scripts", loaders=s.list(of), known=d.refs("java.lang.Object[]", known))


# ---- by chance -----------------------------------------------------------------------------------------


class Chance:
    """Structures of the above by chance, in one another."""

    def __init__(self, s, seed):
        self.s, self.r = s, random.Random(seed)
        self.made, self.left = [], 40

    def items(self, n):
        """New ones, or some that are elsewhere."""
        r = self.r
        if self.made and r.random() < 0.4:
            return r.choice(self.made)[:n + r.randrange(3)]
        size = r.choice((64, 400, 3000)) if n > 40 else r.choice((400, 3000, 30000))
        cname, field = r.choice((("com.shop.Item", "name"), ("com.shop.Task", "data"), ("kotlinx.Handle", "item"), ("com.shop.Row", "items")))
        self.made.append([self.s.d.obj(cname, **{field: self.s.data(size + r.choice((0, 0, 0, size // 2)))}) for _ in range(n)])
        return self.made[-1]

    def several(self, depth):
        r = self.r
        if depth < 3 and self.left > 0 and r.random() < 0.6:
            n = r.choice((1, 2, 3, 10, 20, 25))
            self.left -= n
            return [self.thing(depth + 1) for _ in range(n)]
        return self.items(r.choice((5, 20, 21, 49, 50, 60, 120, 256, 300)))

    def collection(self, depth):
        s, r = self.s, self.r
        items = self.several(depth)
        d, n = s.d, len(items)
        some = r.choice((n, n, n - 1, n + n // 10, 2 * n, 2 * n + 2, 1 << 31 - 1))
        return r.choice((
            lambda: s.list(items),
            lambda: d.obj("java.util.ArrayList", elementData=d.refs("java.lang.Object[]", items), size=n + r.choice((0, 0, n // 21, n // 19)), modCount=n),
            lambda: keyed(s, items, r.choice((16, 400, 3000))),
            lambda: d.refs("java.lang.Object[]", items + [0] * r.choice((0, 0, 7))),
            lambda: keyed(s, items, 64, "com.shop.Recent2", modCount=n + r.randrange(2), accessOrder=r.random() < 0.3, maxEntries=some),
            lambda: d.obj("com.shop.Lru3", entries=s.map(items, 64), maxEntries=some, maxIdle=r.choice((0, 0, -1))),
            lambda: d.obj("android.util.LruCache", map=keyed(s, items, 32), maxSize=some, size=r.choice((0, n))),
            lambda: d.obj("com.google.common.cache.LocalCache", segments=d.refs("java.lang.Object[]", items), maxWeight=some),
            lambda: d.obj("com.shop.RingBoundedBuffer", data=d.refs("java.lang.Object[]", items))))()

    def thing(self, depth):
        d, r = self.s.d, self.r
        c = lambda: self.collection(depth)
        return r.choice((
            c, lambda: d.obj("com.shop.Account", orders=c()), lambda: d.obj("com.shop.Row", items=c()),
            lambda: d.obj("com.shop.Desk", mails=c(), calls=c() if r.random() < 0.5 else self.s.data(r.choice((30, 3000)))),
            lambda: d.obj("com.shop.Store", byId=c(), byName=c(), spare=c() if r.random() < 0.3 else 0),
            lambda: d.obj("clojure.lang.Var", root=c(), sym=d.obj("clojure.lang.Symbol", name=d.text("v%d" % r.randrange(3))),
                          ns=d.obj("clojure.lang.Namespace", name=d.obj("clojure.lang.Symbol", name=d.text("shop")))),
            lambda: d.obj("io.reactivex.Composite", resources=d.obj("io.reactivex.OpenSet", keys=d.refs("java.lang.Object[]", self.several(depth))))))()


def chance(s, seed):
    s.d.classes["java.util.HashMap"].fields.append(("modCount", INT))
    s.d.classes["java.util.LinkedHashMap"].fields.append(("accessOrder", BOOLEAN))
    c = Chance(s, seed)
    for k in range(c.r.randrange(1, 5)):
        s.statics("Root%d" % k, all=c.thing(0))
    for k in range(c.r.choice((0, 0, 1, 3, 19, 20, 25))):
        s.worker("load-%d" % k, [("com.shop.Job", c.r.choice(("load", "load", "main")), c.thing(2))])


def rows(kind, *pieces, severity="note"):
    return [(severity, kind, piece) for piece in pieces]


def full(*pieces):
    return rows("accumulation", *pieces, severity="warning")


MAYBE, BOUND = "; may be bounded by ", "120 com.shop.Item; the cache is bounded"
GUAVA, RECENT, LRU = "com.google.common.cache.LocalCache.maxWeight = %d.", "com.shop.Recent%s.", "android.util.LruCache.maxSize = %d."
PLAIN = "; 4.58 MiB of it in com.shop.Item.name."
INDEX = "com.shop.Main.store holds %s (100%%): 120 com.shop.Item; %s of it in com.shop.Item.name; by com.shop.Store.byId and com.shop.Store.byName."
SCRIPTS, LOADERS = "100 classes com.shop.Script* of %d class loaders keep", "com.shop.Loader.locks; nothing was ever removed from it."
POOL = "org.apache.http.pool.AbstractConnPool of com.shop.Client.pool: %d of 120 objects in use, limit 120."
NETTY = "Netty's buffer pool holds 4.%s; "
TROUBLES = {
    "limit_50": (limited, ("com.shop.Lru3", 50), full(MAYBE + "com.shop.Lru3.maxEntries = 50."), dict(maxEntries=50)),
    "limit_49": (limited, ("com.shop.Lru3", 49), full("; 5.00 MiB of it in com.shop.Item.name."), dict(maxEntries=49)),
    "limit_endless": (limited, ("com.shop.Lru3", 50), full("; 5.00 MiB of it in com.shop.Item.name."), dict(maxEntries=50, maxIdle=-1)),
    "limit_record": (limited, ("com.shop.Lru4", 50), full("; 5.00 MiB of it in com.shop.Item.name."), dict(maxActive=50)),
    "guava_240": (guava, (240,), rows("bounded cache", BOUND + " by " + GUAVA % 240)),
    "guava_242": (guava, (242,), full(MAYBE + GUAVA % 242)),
    "guava_110": (guava, (110,), rows("bounded cache", BOUND + " by " + GUAVA % 110)),
    "guava_109": (guava, (109,), full(PLAIN)),
    "guava_weigher": (guava, (109, "com.shop.Weigher"), rows("bounded cache", BOUND + " by " + GUAVA % 109)),
    "guava_one": (guava, (109, "com.google.common.cache.LocalCache$OneWeigher"), full(PLAIN)),
    "android_half": (android, (200, 100), rows("bounded cache", BOUND + " by " + LRU % 200)),
    "android_less": (android, (200, 99), full(MAYBE + LRU % 200)),
    "android_lower": (android, (119, 58), full(PLAIN)),
    "android_many": (android_many, (4, 30), full(MAYBE + LRU % 30)),
    "android_many_less": (android_many, (4, 29), full("of it in com.shop.Item.name.")),
    "recent_kept": (recent, (120,), full(MAYBE + RECENT % ".removeEldestEntry")),
    "recent_order": (recent, (121, True), rows("bounded cache", BOUND + " by " + RECENT % ".removeEldestEntry")),
    "recent_field": (recent, (121, False, "com.shop.Recent2"), rows("bounded cache", BOUND + " by com.shop.Recent2.maxEntries = 120."), dict(maxEntries=120)),
    "recent_other": (recent, (121, False, "com.shop.Recent2"), full(MAYBE + "com.shop.Recent2.removeEldestEntry."), dict(maxEntries=121)),
    "recent_wrapped": (recent, (121, True, "com.shop.Recent", True), rows("bounded cache", BOUND + " by " + RECENT % ".removeEldestEntry")),
    "blocking": (blocking, (120, 120), rows("bounded cache", "120 com.shop.Task; the cache is bounded by java.util.concurrent.LinkedBlockingQueue.capacity = 120.")),
    "blocking_endless": (blocking, (120, (1 << 31) - 1), full("; 5.00 MiB of it in com.shop.Task.data.")),
    "blocking_999": (blocking, (999, 999), rows("bounded cache", "LinkedBlockingQueue.capacity = 999.")),
    "blocking_1000": (blocking, (1000, 1000), full(": 1 000 com.shop.Task in a java.util.concurrent.LinkedBlockingQueue; 5.02 MiB of it in com.shop.Task.data.")),
    "named": (named, ("com.shop.RingBoundedBuffer",), rows("bounded cache", "; the cache is bounded by com.shop.RingBoundedBuffer.")),
    "named_not": (named, ("com.shop.RingUnboundedBoundedBuffer",), full("; 5.00 MiB of it in com.shop.Item.name.")),
    "named_999": (named, ("java.util.concurrent.ArrayBlockingQueue", 999), rows("bounded cache", "; the cache is bounded by java.util.concurrent.ArrayBlockingQueue.")),
    "named_1000": (named, ("java.util.concurrent.ArrayBlockingQueue", 1000), full(": 1 000 com.shop.Item in a java.util.concurrent.ArrayBlockingQueue; 5.02 MiB of it in com.shop.Item.name.")),
    "bounded_rows": (in_entries, ("com.shop.RingBoundedBuffer", 120, 7), rows("bounded cache", ": 120 com.shop.Row; the cache is bounded by com.shop.RingBoundedBuffer.")),
    "bounded_lists": (in_entries, ("com.shop.RingBoundedBuffer", 30, 40), full("com.shop.Row.items")),
    "cut": (indexes, (120, 39000, 20000), full(INDEX % ("9.06 MiB", "4.47 MiB"))),
    "cut_one": (indexes, (120, 42000, 20000), full("of it in com.shop.Item.name; also held by com.shop.Store.byName.") + rows("accumulation", "com.shop.Store.byName")),
    "cut_shared": (indexes, (120, 14000, 20000), full(INDEX % ("6.20 MiB", "1.60 MiB"))),
    "cut_apart": (indexes, (120, 13000, 20000), rows("accumulation", "of it in com.shop.Item.name; also held by com.shop.Store.byName.", "com.shop.Store.byName")),
    "cut_own": (indexes, (120, 39000, 20000, 1, 0, True), full("com.shop.Store.by", "com.shop.Store.by")),
    "cut_2": (indexes, (60, 39000, 20000, 2), full("of it in com.shop.Item.name; also held by com.shop.Store.byName.") + rows("accumulation", "the fields com.shop.Store.byName")),
    "cut_5": (many_indexes, (5,), full("com.shop.Mixed.part2 and 2 more.")),
    "cut_2_fields": (many_indexes, (2,), rows("accumulation", "; by com.shop.Mixed.part0 and com.shop.Mixed.part1.")),
    "cut_library": (many_indexes, (5, True), full(": 60 kotlinx.Handle; by com.shop.Mixed.part0, com.shop.Mixed.part1, com.shop.Mixed.part2 and 2 more.")),
    "parts_half": (two_parts, (120, 20000, 19800), full("; 2.29 MiB of it in com.shop.Desk.mails; nothing")),
    "parts_less": (two_parts, (120, 20000, 20100), full("; 2.30 MiB of it in com.shop.Desk.calls; nothing")),
    "kept_50": (kept_all, (50, 50), full("; nothing was ever removed from it.")),
    "kept_49": (kept_all, (49, 49), full("of it in com.shop.Item.name.")),
    "kept_more": (kept_all, (50, 51), full("of it in com.shop.Item.name.")),
    "elsewhere": (elsewhere, (105, 4), full(": 105 com.shop.Item in")),
    "elsewhere_more": (elsewhere, (105, 5), full(": 100 com.shop.Item in")),
    "timers": (timers, (120, 61), full("120 com.shop.Reminder in a java.util.TaskQueue, most of them cancelled: purge() removes them;")),
    "timers_half": (timers, (120, 60), full("120 com.shop.Reminder in a java.util.TaskQueue; ")),
    "ring_256": (ring, (256,), rows("accumulation", ": 256 com.shop.Item in a java.lang.Object[];")),
    "ring_128": (ring, (128, 0, 0, 40000), full(": 128 com.shop.Item in a java.lang.Object[]")),
    "ring_255": (ring, (255,), full(": 255 com.shop.Item in a java.lang.Object[];")),
    "ring_hole": (ring, (255, 1), full(": 255 com.shop.Item in a java.lang.Object[];")),
    "ring_even": (ring, (256, 0, 22000), rows("accumulation", ": 256 com.shop.Item in a java.lang.Object[];")),
    "ring_larger": (ring, (256, 0, 23000), full(": 256 com.shop.Item in a java.lang.Object[];")),
    "locals_2": (locals_of, (2,), rows("thread", "in local variables of com.shop.Job.load: 120 com.shop.Item", severity="warning")),
    "locals_1": (locals_of, (1, "load", 80000), full("com.shop.Account.orders holds")),
    "locals_main": (locals_of, (3, "main"), full("the fields com.shop.Account.orders of 3 objects hold")),
    "same_field": (same_field, (True,), full("the fields com.shop.Desk.mails of 24 objects hold 9.66 MiB (100%) together: 1 440 com.shop.Item in 24 java.util.ArrayList")),
    "same_field_apart": (same_field, (False,), full("the fields com.shop.Desk.mails of 12 objects", "the fields com.shop.Desk.mails of 12 objects")),
    "slots_1": (slots, (120, 1), full("com.shop.Account.orders holds 4.58 MiB (100%): 120 io.reactivex.Observer")),
    "slots_59": (slots, (120, 59), full("the fields com.shop.Account.orders of 59 objects in com.shop.Screens.open hold 4.58 MiB (100%) together: 120 io.reactivex.Observer")),
    "slots_60": (slots, (120, 60), full("com.shop.Screens.open holds 4.58 MiB (100%): 120 io.reactivex.Observer")),
    "var": (var, (), full("#'shop.core/cache holds 4.58 MiB (100%): 120 com.shop.Item in a java.util.ArrayList")),
    "var_nameless": (var, (False,), full("clojure.lang.Var.root holds")),
    "netty_rest": (netty, (501, 100), rows("netty pool", NETTY % "39 MiB (96%)" + "11.7 KiB of its bytes are in use: it is at rest.")),
    "netty_half": (netty, (500, 100), [("warning", "netty pool", "100 buffers are in use, most of them held by com.shop.Handler.inflight;")]),
    "netty_lost": (netty, (500, 9), [("note", "netty pool", "11.7 KiB of its bytes are in use, but buffers were collected without release().")]),
    "connections_59": (connections, (59, 61, 90000), rows("object pool", POOL % 59) + rows("accumulation", "available holds 5.24 MiB", "leased holds 5.07 MiB")),
    "connections_60": (connections, (60, 60, 90000), full("leased holds 5.15 MiB", "available holds 5.15 MiB") + rows("object pool", POOL % 60)),
    "loaded_100": (loaded, (100, 100, 50000), [("warning", "generated classes", SCRIPTS % 100)] + full(LOADERS)),
    "loaded_99": (loaded, (99, 99, 50000), full(LOADERS)),
    "loaded_75": (loaded, (100, 75, 60000), [("warning", "generated classes", SCRIPTS % 75)] + full(LOADERS)),
    "loaded_74": (loaded, (100, 74, 60000), full(LOADERS)),
    "loaded_less": (loaded, (100, 100, 41000), rows("accumulation", LOADERS)),
}
