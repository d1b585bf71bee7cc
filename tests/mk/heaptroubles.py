# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heaptroubles.py - small heaps with one trouble each, just there and just not, for findings.py: TROUBLES.

Each row is NAME: (what fills the heap, its arguments, what is to be found: severity, kind and a piece of the reason, with a full stop at its end).
Nothing else is to be found.  The heaps have 4 to 5 MiB where nothing else is said.
"""
import random

import heaplimits
from heapfile import BOOLEAN, INT, LONG, OBJECT
from heapowners import Shop

KIB, MIB = 1 << 10, 1 << 20
CLASSES = """
java.util.concurrent.ThreadPoolExecutor workQueue workers threadFactory corePoolSize.I
java.util.concurrent.ThreadPoolExecutor$Worker this$0
java.util.concurrent.LinkedBlockingQueue head last
java.util.concurrent.LinkedBlockingQueue$Node item next
com.google.common.cache.LocalCache segments maxWeight.J
io.netty.buffer.PoolChunk memory
io.netty.buffer.PooledUnsafeDirectByteBuf chunk
com.shop.Task data
com.shop.Shard pool
org.eclipse.jetty.util.thread.QueuedThreadPool
kotlinx.coroutines.scheduling.CoroutineScheduler$Worker
com.shop.Account orders
com.shop.Desk mails calls
com.shop.Finale next
com.shop.Lru2 entries maxEntries.I
com.github.benmanes.caffeine.cache.BoundedLocalCache data
com.github.benmanes.caffeine.cache.SSMS:com.github.benmanes.caffeine.cache.BoundedLocalCache maximum.J weightedSize.J
com.github.benmanes.caffeine.cache.BoundedLocalCache$Manual cache
com.shop.Texture handle texels
java.lang.ref.Cleaner impl
jdk.internal.ref.List arr next
io.netty.util.concurrent.FastThreadLocal index.I
io.netty.util.internal.InternalThreadLocalMap indexedVariables
io.netty.util.concurrent.FastThreadLocalThread:java.lang.Thread threadLocalMap
kotlin.coroutines.jvm.internal.BaseContinuationImpl completion
kotlin.coroutines.CombinedContext left
kotlinx.coroutines.JobImpl state
kotlinx.coroutines.StandaloneCoroutine _parentHandle state
kotlinx.coroutines.ChildHandleNode job childJob
kotlinx.coroutines.CancellableContinuationImpl delegate
kotlinx.coroutines.ContextScope coroutineContext
com.shop.Feed$run$1:kotlin.coroutines.jvm.internal.BaseContinuationImpl row
com.shop.Record next data
java.lang.ref.ReferenceQueue head
java.util.ImmutableCollections$ListN elements
com.google.common.collect.RegularImmutableList array
java.util.concurrent.locks.ReentrantLock sync
java.util.concurrent.locks.ReentrantLock$NonfairSync head exclusiveOwnerThread
com.shop.Plugin config
java.util.HashSet map
java.sql.Info driver
java.lang.Throwable backtrace
java.lang.IllegalStateException:java.lang.Throwable
java.util.concurrent.ScheduledThreadPoolExecutor:java.util.concurrent.ThreadPoolExecutor
java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue queue
java.util.concurrent.FutureTask state.I callable
java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask:java.util.concurrent.FutureTask this$0
java.util.concurrent.ForkJoinPool queues
java.util.concurrent.ForkJoinPool$WorkQueue array owner
java.util.concurrent.ForkJoinWorkerThread:java.lang.Thread pool workQueue
java.lang.VirtualThread:java.lang.Thread state.I cont parkBlocker
jdk.internal.vm.Continuation target
com.shop.EventLoop parent
com.shop.EventLoopGroup children
com.shop.Names
com.shop.Ticket
com.shop.Till lock
jdk.internal.ref.PhantomCleanable:java.lang.ref.PhantomReference prev after action
io.reactivex.Observer value
io.reactivex.Hide downstream
io.reactivex.Subject subscribers
io.reactivex.Composite resources
io.reactivex.OpenSet keys
kotlinx.Handle item
kotlinx.Step next
org.h2.Main
org.h2.Page data
""" + "com.shop.Mixed " + " ".join("part%d" % i for i in range(24)) + heaplimits.CLASSES
TYPES = {"J": LONG, "I": INT, "Z": BOOLEAN}


class Trouble(Shop):
    def __init__(self):
        super().__init__()
        self.random = random.Random(1)
        self.noise, self.made = self.random.randbytes(1 << 16), 0
        for line in CLASSES.split("\n")[1:-1]:
            name, *fields = line.split(" ")
            name, _, sup = name.partition(":")
            self.d.klass(name, sup or "java.lang.Object", [(f.partition(".")[0], TYPES.get(f.partition(".")[2], OBJECT)) for f in fields])

    def data(self, n=64):
        """No two are equal."""
        self.made += 1
        return self.d.prims(8, (self.made.to_bytes(8, "big") + self.noise * (n // len(self.noise) + 1))[:n] if n > 8 else self.random.randbytes(n))

    def items(self, n, size=64):
        return [self.d.obj("com.shop.Item", name=self.data(size)) for _ in range(n)]

    def exact(self, n, total):
        """A list of n items that has that many bytes in all."""
        begin = self.d.free
        items = self.items(n - 1, (total - 8 * KIB) // n)
        spare = 4 * (n + 2) + 16 + 7 & ~7
        rest = total - (self.d.free - begin) - self.size("java.util.ArrayList") - spare - self.size("com.shop.Item") - 16
        out = self.list(items + self.items(1, rest))
        assert self.d.free - begin == total
        return out

    def size(self, cname):
        return self.d.instance_bytes(self.d.classes[cname])

    def tables(self, total):
        """Data of the JDK in two statics, which is not a problem."""
        for k in range(2):
            self.d.klass("java.lang.Tables%d" % k, statics=[("all", OBJECT, self.data(total // 2))])

    def worker(self, name, frames, target=0, at=None, cname="java.lang.Thread", **more):
        d = self.d
        self.threads += 1
        at = d.obj(cname, at, name=d.text(name), tid=self.threads, target=target, **more)
        d.stack(self.threads + 1, self.threads, [d.frame(10 * self.threads + k, c, m, "()V", "X.java", 7)
                                                 for k, (c, m, *_) in enumerate(frames)])
        d.root("thread", at, self.threads, self.threads + 1)
        for k, (_, _, *local) in enumerate(frames):
            for a in local:
                d.root("java frame", a, self.threads, k)
        return at


# ---- many of one kind ----------------------------------------------------------------------


def many(s, n, size, beside=0):
    s.statics("Registry", done=s.list(s.items(n, size)))
    s.tables(beside)


def exact(s, total, beside=0):
    s.statics("Registry", done=s.exact(100, total))
    s.tables(beside)


def siblings(s):
    s.statics("Main", desk=s.d.obj("com.shop.Desk", mails=s.list(s.items(120, 40000)), calls=s.list(s.items(150, 40000))))


def one_of_many(s, large, others):
    accounts = [s.d.obj("com.shop.Account", orders=s.list(s.items(120, 40000))) for _ in range(large)] + [
        s.d.obj("com.shop.Account", orders=s.list(s.items(2))) for _ in range(others)]
    s.statics("Bank", accounts=s.list(accounts))


def growing(s, owners, each, size, beside=0):
    """A list in each of many."""
    s.statics("Bank", desks=s.list([s.d.obj("com.shop.Desk", mails=s.list(s.items(each, size)), calls=s.data(beside)) for _ in range(owners)]))


def growing_maps(s, owners, each, size):
    """Their keys have half of the bytes."""
    s.statics("Bank", accounts=s.list([s.d.obj("com.shop.Account", orders=s.d.obj("java.util.HashMap", table=s.d.refs("java.util.HashMap$Node[]", [
        s.d.obj("java.util.HashMap$Node", key=s.data(size), value=s.d.obj("com.shop.Item", name=s.data(size))) for _ in range(each)]),
        size=each)) for _ in range(owners)]))


def growing_tables(s, owners, each, size, longer=0):
    """Each was made with all of its rows."""
    s.statics("Bank", accounts=s.list([s.d.obj("com.shop.Account", orders=s.d.refs("java.lang.Object[]", [
        s.data(size + (longer if k == 0 else 0)) for k in range(each)])) for _ in range(owners)]))


def growing_links(s, owners, each, size):
    """A chain in each."""
    out = []
    for _ in range(owners):
        at = 0
        for _ in range(each):
            at = s.d.obj("com.shop.Record", next=at, data=s.data(size))
        out.append(s.d.obj("com.shop.Account", orders=at))
    s.statics("Bank", accounts=s.list(out))


def fixed(s, wrap, things):
    """In a collection that was made whole: of the JDK, or of Guava."""
    d = s.d
    all_ = d.refs("java.lang.Object[]", things(s))
    s.statics("Table", rows=d.obj(wrap, **{"elements" if "util.Imm" in wrap else "array": all_}))


def put_in(s, make, n):
    """Objects of a collection's own classes that are elements of another collection."""
    s.statics("Registry", done=s.map([make(s) for _ in range(n)], 1024) if n < 1000 else s.list([make(s) for _ in range(n)]))


def a_lock(s):
    return s.d.obj("java.util.concurrent.locks.ReentrantLock", sync=s.d.obj("java.util.concurrent.locks.ReentrantLock$NonfairSync", head=s.data(8000)))


def an_entry(s):
    return s.d.obj("java.util.HashMap$Node", key=s.data(2000), value=s.data(2000))


def a_row(s):
    return s.d.refs("java.lang.Object[]", [s.data(1500), s.data(1500), s.d.text("row")])


def linked_list(s, n, size):
    """Its nodes are dominated by it alone, each."""
    d = s.d
    nodes = [d.reserve("java.util.LinkedList$Node") for _ in range(n)]
    for k, a in enumerate(nodes):
        d.obj("java.util.LinkedList$Node", a, item=s.data(size), next=(nodes + [0])[k + 1], prev=nodes[k - 1] if k else 0)
    s.statics("Registry", done=d.obj("java.util.LinkedList", first=nodes[0], last=nodes[-1]))


def pairs(s, n, size):
    """Two of a class hold each other: no list."""
    s.statics("Registry", done=s.list([s.d.obj("com.shop.Record", next=s.d.obj("com.shop.Record", data=s.data(size))) for _ in range(n)]))


def fast_locals(s, threads, n, size):
    """Thread locals of Netty: the place in an array identifies them."""
    d, netty = s.d, "io.netty.util."
    s.statics("Codec", RECYCLED=d.obj(netty + "concurrent.FastThreadLocal", index=3), OTHER=d.obj(netty + "concurrent.FastThreadLocal", index=1))
    for k in range(threads):
        values = d.refs("java.lang.Object[]", [0, s.items(1)[0], 0, s.list(s.items(n, size)), 0])
        s.worker("io-%d" % k, [("com.shop.Job", "run")], cname=netty + "concurrent.FastThreadLocalThread",
                 threadLocalMap=d.obj(netty + "internal.InternalThreadLocalMap", indexedVariables=values))


def coroutines(s, n, size, scope=True):
    """Suspended in a scope, and held by what wakes them too."""
    d, x, waiting, children = s.d, "kotlinx.coroutines.", [], []
    job = d.reserve(x + "JobImpl")
    for _ in range(n):
        step, coroutine = d.reserve("com.shop.Feed$run$1"), d.reserve(x + "StandaloneCoroutine")
        children.append(d.obj(x + "ChildHandleNode", job=job if scope else 0, childJob=coroutine))
        waiting.append(d.obj(x + "CancellableContinuationImpl", delegate=step))
        d.obj("com.shop.Feed$run$1", step, completion=coroutine, row=s.items(1, size)[0])
        d.obj(x + "StandaloneCoroutine", coroutine, _parentHandle=children[-1], state=waiting[-1])
    d.obj(x + "JobImpl", job, state=d.refs("java.lang.Object[]", children))
    s.statics("Main", scope=d.obj(x + "ContextScope", coroutineContext=d.obj("kotlin.coroutines.CombinedContext", left=job)) if scope else 0)
    d.klass(x + "Delay", statics=[("queue", OBJECT, d.refs("java.lang.Object[]", waiting))])


def registered(s, n, size, ring):
    """Each has its registration, which the JDK keeps in a ring, or in arrays that are linked."""
    d, cname = s.d, "jdk.internal.ref.PhantomCleanable"
    refs = [d.reserve(cname) for _ in range(n)]
    for k, a in enumerate(refs):
        texture = d.obj("com.shop.Texture", handle=a, texels=s.data(size))
        d.obj(cname, a, referent=texture, prev=refs[k - 1] if ring else 0, after=refs[(k + 1) % n] if ring else 0, action=texture)
    at = refs[0] if ring else 0
    for begin, end in () if ring else ((0, n // 2), (n // 2, n * 4 // 5), (n * 4 // 5, n)):
        at = d.obj("jdk.internal.ref.List", arr=d.refs("java.lang.Object[]", refs[begin:end] + [0] * 8), next=at)
    s.statics("Canvas", CLEANER=d.obj("java.lang.ref.Cleaner", impl=at))


def limited(s, n, most, used=0):
    """A cache of a program with a limit; one of Caffeine."""
    d = s.d
    if used:
        cache = d.obj("com.github.benmanes.caffeine.cache.SSMS", data=s.map(s.items(n, 40000), 256), maximum=most, weightedSize=used)
        s.statics("Service", cache=d.obj("com.github.benmanes.caffeine.cache.BoundedLocalCache$Manual", cache=cache))
    else:
        s.statics("Service", cache=d.obj("com.shop.Lru2", entries=s.map(s.items(n, 40000), 256), maxEntries=most))


def parts(s):
    """Two collections in one object: the smaller one is not reported with the bytes of both."""
    s.statics("Web", registry=s.d.obj("com.shop.Mixed", part0=s.list(s.items(120, 40000)), **{
        "part%d" % k: s.d.obj("com.shop.Item", name=s.data(900)) for k in range(1, 24)}))


def kinds(s, *counts):
    """One list of things of several classes, so many of each."""
    made = []
    for k, n in enumerate(counts):
        s.d.klass("com.shop.Kind%d" % k, fields=[("data", OBJECT)])
        made += [s.d.obj("com.shop.Kind%d" % k, data=s.data(40000)) for _ in range(n)]
    s.statics("Journal", events=s.list(made))


def weak(s, n, cleared):
    """References of which so many have lost what they referred to."""
    items = s.items(1)
    s.statics("Listeners", refs=s.list([s.d.obj("java.lang.ref.WeakReference", referent=0 if k < cleared else items[0]) for k in range(n)]))


def boxes(s, n, empty):
    """In each a task, but in some."""
    s.statics("Registry", done=s.list([s.d.obj("com.shop.Job", task=s.d.obj("com.shop.Account", orders=s.data(40000)) if k >= empty else 0)
                                       for k in range(n)]))


def nested(s):
    s.statics("Main", all=s.map([s.list(s.items(30, 4000)) for _ in range(40)]))


def roots(s, n):
    for k, a in enumerate(s.items(n, 60000)):
        s.d.root("jni global", a, 0x7f0000000000 + k)


def shared(s, owners):
    """The same items in a list of each owner."""
    items = s.items(120, 40000)
    for owner in owners:
        s.statics(owner, parcels=s.list(items))


def subscriptions(s, n, size, owner="", zeros=False):
    """A library holds n observers in two places of its own; with owner, a class of the program holds one of the places."""
    observers = [s.d.obj("io.reactivex.Observer", value=s.d.prims(8, bytes(size)) if zeros else s.data(size)) for _ in range(n)]
    subject = s.d.obj("io.reactivex.Subject", subscribers=s.d.refs(
        "java.lang.Object[]", [s.d.obj("io.reactivex.Hide", downstream=a) for a in observers]))
    s.d.klass("io.reactivex.All", statics=[("one", OBJECT, subject)])
    both = s.d.obj("io.reactivex.Composite", resources=s.d.obj("io.reactivex.OpenSet", keys=s.d.refs("java.lang.Object[]", observers)))
    if owner:
        s.statics(owner, subscriptions=both)
    else:
        s.d.klass("io.reactivex.Other", statics=[("one", OBJECT, both)])
        # The program only refers to what the library has one of.
        s.statics("Main", log=s.d.obj("io.reactivex.Composite", resources=subject))


def storage(s, n, size):
    """A library keeps them in the array of a collection of its own."""
    own = s.d.obj("io.reactivex.OpenSet", keys=s.d.refs("java.lang.Object[]", s.items(n, size)))
    s.d.klass("io.reactivex.Other", statics=[("one", OBJECT, s.d.obj("io.reactivex.Composite", resources=own))])


def mixed(s, size):
    s.statics("Main", mixed=s.d.obj("com.shop.Mixed", **{"part%d" % i: s.data(size) for i in range(24)}))


def jdk_only(s, n, size, beside=0):
    s.d.klass("java.lang.Tables", statics=[("all", OBJECT, s.map([s.data(size) for _ in range(n)]))])
    s.tables(beside)


def keyed(s, n, size):
    """A map whose values have their keys, which therefore no value alone holds."""
    keys = [s.data(size) for _ in range(n)]
    nodes = [s.d.obj("java.util.HashMap$Node", key=k, value=s.d.obj("com.shop.Item", name=k)) for k in keys]
    return s.d.obj("java.util.HashMap", table=s.d.refs("java.util.HashMap$Node[]", nodes), size=n)


def shared_keys(s, maps, n, size):
    s.statics("Main", all=keyed(s, n, size) if maps == 1 else s.list([keyed(s, n, size) for _ in range(maps)]))


def rows(s, n, size, holes=0, other=0):
    """A table of numbers."""
    s.statics("Terrain", heights=s.d.refs("java.lang.Object[]", [s.data(size) for _ in range(n)] + [s.data(size + 8)] * other + [0] * holes))


def full(s, n, size, holes=0):
    """An array, which may be as long as ever."""
    s.statics("Table", rows=s.d.refs("java.lang.Object[]", s.items(n, size) + [0] * holes))


def zeros(s, n, size, elsewhere=0, before=0):
    """Buffers of nothing but zeros."""
    s.d.klass("java.lang.Console", statics=[("all", OBJECT, s.list([s.d.prims(8, bytes(size)) for _ in range(before)]))])
    s.statics("Registry", done=s.list([s.d.obj("com.shop.Item", name=s.d.prims(8, bytes(size))) for _ in range(n)]))
    s.statics("Main", spare=s.list([s.d.prims(8, bytes(size)) for _ in range(elsewhere)]))


def library(s, package):
    """Data of the library H2, and a thread main that began in package."""
    s.worker("main", [(package + "Main", "main")])
    s.d.klass("org.h2.Store", statics=[("pages", OBJECT, s.list([s.d.obj("org.h2.Page", data=s.data(43000)) for _ in range(100)]))])
    s.tables(30 * MIB)


# ---- queues, links ---------------------------------------------------------------------------


def queue(s, methods):
    """Tasks that wait, in a pool whose threads are in these methods; without methods in no pool."""
    d, at = s.d, 0
    for _ in range(120):
        at = d.obj("java.util.concurrent.LinkedBlockingQueue$Node", item=d.obj("com.shop.Task", data=s.data(40000)), next=at)
    mail = d.obj("java.util.concurrent.LinkedBlockingQueue", head=at)
    if methods:
        mail = d.obj("java.util.concurrent.ThreadPoolExecutor", workQueue=mail)
        for k, method in enumerate(methods):
            s.worker("pool-1-thread-%d" % k, [("java.lang.Object", "wait"), ("com.shop.Job", method)],
                     d.obj("java.util.concurrent.ThreadPoolExecutor$Worker", **{"this$0": mail}))
    s.statics("Mail", pool=mail)


def queues(s, pools, n):
    """Threads of several pools with one thread each."""
    d, out = s.d, []
    for k in range(pools):
        at = 0
        for _ in range(n):
            at = d.obj("java.util.concurrent.LinkedBlockingQueue$Node", item=d.obj("com.shop.Task", data=s.data(40000)), next=at)
        pool = d.obj("java.util.concurrent.ThreadPoolExecutor", workQueue=d.obj("java.util.concurrent.LinkedBlockingQueue", head=at))
        s.worker("pool-%d-thread-1" % k, [("java.lang.Object", "wait"), ("com.shop.Job", "send")],
                 d.obj("java.util.concurrent.ThreadPoolExecutor$Worker", **{"this$0": pool}))
        out.append(d.obj("com.shop.Shard", pool=pool))
    s.statics("Shards", all=s.list(out))


def own_pool(s, n):
    """A pool that a method has, and its threads."""
    d, cname, at = s.d, "java.util.concurrent.ThreadPoolExecutor", 0
    for _ in range(n):
        at = d.obj("java.util.concurrent.LinkedBlockingQueue$Node", item=d.obj("com.shop.Task", data=s.data(40000)), next=at)
    pool = d.obj(cname, workQueue=d.obj("java.util.concurrent.LinkedBlockingQueue", head=at))
    s.thread(frames=[("load", [pool])])
    for k in range(2):
        s.worker("pool-1-thread-%d" % k, [("com.shop.Job", "send"), (cname, "runWorker", pool)], d.obj(cname + "$Worker", **{"this$0": pool}))


def delayed(s, n, names):
    """A queue that only its threads and its pool hold."""
    d, cname = s.d, "java.util.concurrent.ScheduledThreadPoolExecutor"
    waiting = d.obj(cname + "$DelayedWorkQueue", queue=d.refs("java.lang.Object[]", [
        d.obj("com.shop.Task", data=s.data(40000)) for _ in range(n)]))
    pool = d.obj(cname, workQueue=waiting)
    for name in names:
        s.worker(name, [(cname + "$DelayedWorkQueue", "take", waiting), (cname, "runWorker", pool)],
                 d.obj("java.util.concurrent.ThreadPoolExecutor$Worker", **{"this$0": pool}))


def together(s, n, names):
    """One list that several threads have in a local variable of the same method."""
    items = s.list(s.items(n, 40000))
    for name in names:
        s.worker(name, [("com.shop.Job", "load", items)])


def exceptions(s, n):
    s.statics("Failures", last=s.list([s.d.obj("java.lang.IllegalStateException", backtrace=s.d.refs("java.lang.Object[]", [
        s.data(30000), s.data(10000), s.d.text("frame")])) for _ in range(n)]))


def sparse(s, *maps):
    """Maps that are mostly empty, in up to three fields."""
    def some(n):
        return [s.map([s.data(9000)], 4096) for _ in range(n)]
    n, mails, calls = (maps + (0, 0))[:3]
    s.statics("Registry", done=s.list([s.d.obj("com.shop.Account", orders=a) for a in some(n)]))
    s.statics("Main", desk=s.d.obj("com.shop.Desk", mails=s.list(some(mails)), calls=s.list(some(calls))))


def fork_join(s, n):
    """Two queues, of which one is a worker's, which has its thread at work."""
    d, cname = s.d, "java.util.concurrent.ForkJoinPool"
    at, worker = d.reserve(cname), d.reserve("java.util.concurrent.ForkJoinWorkerThread")
    own, other = (d.obj(cname + "$WorkQueue", owner=a, array=d.refs("java.lang.Object[]", [
        d.obj("com.shop.Task", data=s.data(40000)) for _ in range(n // 2)])) for a in (worker, 0))
    d.obj(cname, at, queues=d.refs("java.lang.Object[]", [other, own]))
    s.worker("ForkJoinPool-1-worker-1", [("com.shop.Job", "send"), (cname, "runWorker", at, own, other)],
             at=worker, cname="java.util.concurrent.ForkJoinWorkerThread", pool=at, workQueue=own)
    s.statics("Mail", pool=at)


def cancelled(s, n, states=(0,), jdk=False):
    """Tasks that know their pool: it has more referrers than are looked at, and its thread is in the queue."""
    d, cname = s.d, "java.util.concurrent.ScheduledThreadPoolExecutor"
    pool = d.reserve(cname)
    tasks = [d.obj(cname + "$ScheduledFutureTask", **{"this$0": pool, "callable": s.data(40000), "state": states[k % len(states)]}) for k in range(n)]
    waiting = d.obj(cname + "$DelayedWorkQueue", queue=d.refs("java.lang.Object[]", tasks))
    d.obj(cname, pool, workQueue=waiting)
    s.statics("Main", desk=d.obj("com.shop.Desk", calls=pool))
    s.thread(frames=[("take", [waiting, pool])])


def queued(s, n):
    """Cleanables that wait for a Cleaner: a ring, part of which the VM has linked into its queue."""
    d, cname = s.d, "jdk.internal.ref.PhantomCleanable"
    ring = [d.reserve(cname) for _ in range(n)]
    for k, a in enumerate(ring):
        d.obj(cname, a, prev=ring[k - 1], after=ring[(k + 1) % n], next=ring[k - 2] if k < n // 2 else 0,
              action=d.obj("com.shop.Task", data=s.data(40000)))
    for k in (0, 1):
        d.root("jni global", ring[k * n // 2], 0x7f0000000000 + k)
        d.root("jni global", ring[k * n // 2 + 1], 0x7f0000000010 + k)


def links(s, n, size):
    """Links through arrays, each with something of its own."""
    d, at = s.d, 0
    for _ in range(n):
        cells = d.refs("com.shop.Cell[]", [d.obj("com.shop.Cell", next=at)])
        at = d.obj("com.shop.Link", next=cells, other=d.obj("com.shop.Item", name=s.data(size)))
    return at


def chain(s, n, size):
    s.statics("Chain", first=links(s, n, size))


def far(s, n, others=0):
    """Items at the end of two paths that are too long to be followed up: a library holds the items last, and one owner holds both paths."""
    d, items, ends = s.d, s.items(n, 40000), []
    for _ in range(2):
        at = d.refs("java.lang.Object[]", [d.obj("kotlinx.Handle", item=a) for a in items[others:]] + [
            d.obj("kotlinx.Step", next=a) for a in items[:others]])
        for _ in range(70):
            at = d.obj("kotlinx.Step", next=at)
        ends.append(at)
    s.statics("Main", desk=d.obj("com.shop.Desk", mails=ends[0], calls=ends[1]))


def two_chains(s):
    s.statics("Main", desk=s.d.obj("com.shop.Desk", mails=links(s, 120, 40000), calls=links(s, 150, 40000)))


# ---- threads --------------------------------------------------------------------------------


def thread_local(s, size, key):
    d = s.d
    k = d.obj("com.shop.Job$1" if key == "class" else "java.lang.ThreadLocal")
    if key == "static":
        s.statics("Format", FORMAT=k)
    elif key == "field":
        s.statics("Main", parsers=s.list([d.obj("com.shop.Parser", key=k)]))
    elif key == "class":
        d.root("jni global", k, 7)
    for _ in range(2):
        s.thread([(0 if key == "gone" else k, d.obj("com.shop.Buffer", bytes=s.data(size // 2)))])


def local(s, n, size):
    s.thread(frames=[("load", [s.list(s.items(n, size))])])


def inherited(s, size):
    """Values that are of the JDK alone; the key is not."""
    key = s.d.obj("java.lang.ThreadLocal")
    s.statics("Format", FORMAT=key)
    for _ in range(2):
        s.thread([(key, s.map([s.data(size) for _ in range(30)]))])


def calls(s, n, size):
    """A call in each of n threads has one thing."""
    for a in s.items(n, size):
        s.thread(frames=[("load", [a])])


def threads(s, n, *pool):
    frames = [("java.lang.Object", "wait"), ("com.shop.Job", "run")]
    for k in range(n):
        s.worker("sender-%d" % k, frames + [(cname, "run") for cname in pool])


def threads_words(s, n, where="run"):
    """Each has a name of its own."""
    for k in range(n):
        word = "".join(chr(97 + int(c)) for c in str(1000 + k))
        s.worker("poll " + word, [("java.lang.Thread", "sleep"), ("com.shop.Job", where if k % 2 else "run")])


def pools(s, n, threads, names="pool-%d-thread-%d", factory=None, sizes=1):
    """So many pools with so many threads each, of which nobody but these knows."""
    cname = "java.util.concurrent.ThreadPoolExecutor"
    for k in range(n):
        pool = s.d.obj(cname, corePoolSize=k % sizes, **({"threadFactory": s.d.obj(factory)} if factory else {}))
        for i in range(threads):
            name = names % (k, i) if "%" in names else names + "".join(chr(97 + int(c)) for c in str(1000 * k + i))
            s.worker(name, [("java.lang.Object", "wait"), (cname + "$Worker", "run")], s.d.obj(cname + "$Worker", **{"this$0": pool}))


def event_loops(s, groups, loops, names="loop-%d-%d"):
    d = s.d
    for k in range(groups):
        at = d.reserve("com.shop.EventLoopGroup")
        made = [d.obj("com.shop.EventLoop", parent=at) for _ in range(loops)]
        for i, loop in enumerate(made):
            s.worker(names % (k, i) if "%" in names else names + chr(97 + k // 26) + chr(97 + k % 26), [("java.lang.Object", "wait"), ("com.shop.EventLoop", "run")], loop)
        d.obj("com.shop.EventLoopGroup", at, children=s.d.refs("java.lang.Object[]", made))


PARKED, BLOCKED, TERMINATED = 4, 13, 99


def virtual_numbers(s, state):
    """As an older JDK numbers states."""
    c = s.d.classes["java.lang.VirtualThread"]
    c.statics = [[name, INT, k] for k, name in enumerate("NEW STARTED RUNNABLE RUNNING PARKING PARKED PINNED YIELDING".split())]
    virtual(s, 500, state=state)


def virtual(s, n, size=0, state=PARKED, item=False, bare=False, lock=None):
    """
    Virtual threads at one place, each with that many bytes in a local variable; bare: the dump has no stacks of them; lock: they wait
    for it, "free", "taken" by a thread, or it has the "queue" of them.
    """
    d, sync = s.d, 0
    if lock:
        sync = d.reserve("java.util.concurrent.locks.ReentrantLock$NonfairSync")
        s.statics("Main", till=d.obj("com.shop.Till", lock=sync))
    all_ = []
    for k in range(n):
        more = {"state": state, "parkBlocker": sync}
        if bare:
            all_.append(d.obj("java.lang.VirtualThread", name=d.text("v%d" % k), cont=d.obj("jdk.internal.vm.Continuation", target=d.obj("java.util.concurrent.FutureTask", callable=d.obj("com.shop.Ticket"))), **more))
            continue
        kept = [d.obj("com.shop.Item", name=s.data(size)) if item else s.data(size)] if size else []
        all_.append(s.worker("v%d" % k, [("java.lang.VirtualThread", "park"), ("com.shop.Job", "run", *kept), ("com.shop.Desk", "lambda$serve$%d" % (k % 3))],
                 cname="java.lang.VirtualThread", **more))
    if lock:
        d.obj("java.util.concurrent.locks.ReentrantLock$NonfairSync", sync, head=s.list(all_) if lock == "queue" else 0,
              exclusiveOwnerThread=s.worker("teller", [("com.shop.Till", "count")]) if lock == "taken" else 0)
    if bare:
        s.statics("Registry", done=s.list(all_))


def classes(s, n, name):
    for k in range(n):
        s.d.klass(name % k)


def loader_ways(s, *ways):
    """Plug-ins that were undeployed, so many held by each static."""
    d, k = s.d, 0
    for way, n in enumerate(ways):
        known = []
        for _ in range(n):
            at = d.reserve("com.shop.Loader")
            plugin = d.klass("com.shop.Extension", fields=[("config", OBJECT)], loader=at, key="plugin%d" % k, statics=[("data", OBJECT, s.data(1000))])
            d.obj("com.shop.Loader", at, classes=s.list([plugin.id]))
            known.append(d.obj("plugin%d" % k, config=s.data(1000)))
            k += 1
        s.statics("Way%d" % way, known=s.list(known))


def threads_bare(s, n):
    """Of stacks the dump has none."""
    for k in range(n):
        s.worker("sender-%d" % k, [])


def finalizers(s, n, fresh=0, idle=False):
    """fresh: so many are not in the queue yet; idle: the thread has no more of them."""
    d = s.d
    queue = d.obj("java.util.ArrayList")
    s.worker("Finalizer", [("java.lang.Object", "wait"), ("java.lang.ref.ReferenceQueue", "remove")] if idle else [
        ("java.lang.Thread", "sleep"), ("com.shop.Finale", "finalize")])
    d.classes["java.lang.ref.Finalizer"].statics.append(["queue", OBJECT, queue])
    s.statics("Queue", first=s.list([d.obj("java.lang.ref.Finalizer", referent=d.obj("com.shop.Finale"), queue=queue if k < fresh else 0)
                                     for k in range(n)]))


# ---- large things, memory beside the heap --------------------------------------------------------


def local_direct(s, cname, n, size):
    """Direct buffers that a ThreadLocal of some class keeps for each thread."""
    d, at = s.d, 0x100000
    key = d.obj("java.lang.ThreadLocal")
    d.klass(cname, statics=[("bufferCache", OBJECT, key)])
    for _ in range(n):
        s.thread([(key, d.obj("java.nio.DirectByteBuffer", address=at, capacity=size, cleaner=d.obj("jdk.internal.ref.Cleaner")))])
        at += size


def local_lists(s, threads, n, size):
    """A list for each thread, which nothing can read any more."""
    for _ in range(threads):
        s.thread([(0, s.list([s.d.obj("com.shop.Buffer", bytes=s.data(size)) for _ in range(n)]))])


def large(s, size):
    s.statics("Report", out=s.d.obj("com.shop.Buffer", bytes=s.d.prims(8, bytes(size))))


def few(s, n, size):
    s.statics("Images", loaded=s.list([s.data(size) for _ in range(n)]))


def direct_android(s, n, size):
    """Their memory is an array of the heap."""
    d = s.d
    s.statics("Images", buffers=s.list([d.obj("java.nio.DirectByteBuffer", address=0x100000 + k * size, capacity=size,
                                              hb=s.data(size)) for k in range(n)]))


def copies(s, *times):
    """So many of each array."""
    s.statics("Registry", done=s.list([s.d.prims(8, data) for data, n in [(s.random.randbytes(1000), n) for n in times]
                                       for _ in range(n)]))


def direct(s, n, size, fd=False):
    d, at = s.d, 0x100000
    out = []
    for _ in range(n):
        out.append(d.obj("java.nio.DirectByteBuffer", address=at, capacity=size, cleaner=d.obj("jdk.internal.ref.Cleaner"),
                         fd=d.obj("java.io.FileDescriptor") if fd else 0))
        at += size
    s.statics("Images", buffers=s.list(out))


def segments(s, n, size, arenas=True):
    """Memory of arenas, one a tile or one for all, whose segments are gone."""
    d, kind, at, tiles, last = s.d, "jdk.internal.foreign.", 0x100000, [], 0
    for k in range(n):
        last = d.obj(kind + "SegmentFactories$1", next=0 if arenas else last,
                     **{"val$allocationBase": at, "val$allocationSize": size})
        scope = d.obj(kind + "MemorySessionImpl", resourceList=d.obj(kind + "MemorySessionImpl$ResourceList", fst=last)) if arenas else 0
        tiles.append(d.obj(kind + "NativeMemorySegmentImpl", min=at, length=size, scope=scope) if arenas else last)
        at += size
    s.statics("Images", **({"tiles": s.list(tiles)} if arenas else {"session": d.obj(
        kind + "MemorySessionImpl", resourceList=d.obj(kind + "MemorySessionImpl$ResourceList", fst=last))}))


def zlib(s, n, used=True):
    d = s.d
    s.statics("Packer", streams=s.list([d.obj("java.util.zip.Deflater", zsRef=d.obj("java.util.zip.ZStreamRef", address=16 * (k + 1) if used else 0))
                                        for k in range(n)]))


def netty(s, used):
    d = s.d
    chunks = [d.obj("io.netty.buffer.PoolChunk", memory=s.data(200000)) for _ in range(24)]
    d.klass("io.netty.buffer.PooledByteBufAllocator", statics=[("DEFAULT", OBJECT, d.refs("java.lang.Object[]", chunks))])
    s.statics("Handler", inflight=s.list([d.obj("io.netty.buffer.PooledUnsafeDirectByteBuf", chunk=chunks[0]) for k in range(used)]))


# ---- caches, tables ------------------------------------------------------------------------------


def lru(s, cname):
    d = s.d
    nodes = [d.obj("java.util.HashMap$Node", key=d.text("key %d" % k), value=v) for k, v in enumerate(s.items(120, 40000))]
    s.statics("Service", cache=d.obj(cname, table=d.refs("java.util.HashMap$Node[]", nodes), size=120))


def guava(s, most):
    d = s.d
    s.statics("Service", cache=d.obj("com.google.common.cache.LocalCache", maxWeight=most,
                                     segments=d.refs("java.lang.Object[]", s.items(120, 40000))))


def table(s, entries, used, key=lambda s: s.d.obj("com.shop.Parser"), value=lambda s: 0):
    """A map of so many entries in so many buckets."""
    d, buckets = s.d, [0] * 1024
    for k in range(entries):
        buckets[k % used] = d.obj("java.util.HashMap$Node", hash=k % used, key=key(s), value=value(s), next=buckets[k % used])
    out = d.obj("java.util.HashMap", table=d.refs("java.util.HashMap$Node[]", buckets), size=entries)
    s.statics("Prices", byKey=out)
    return out


def tables(s, n, entries, used, most):
    """The last of many is the worst."""
    maps = [table(s, entries, used) for _ in range(n)]
    s.statics("Small", all=s.list(maps))
    table(s, most, 3)


def set_table(s, entries, used):
    """A set whose map a method has as well."""
    inner = table(s, entries, used)
    s.d.static("com.shop.Prices", "byKey", s.d.obj("java.util.HashSet", map=inner))
    s.thread(frames=[("load", [inner])])


# ---- class loaders -----------------------------------------------------------------------------------


def loader(s, lost):
    """The class of a plug-in that was thrown away has much; lost: one instance holds it, else its loader is in use."""
    d = s.d
    at = d.reserve("com.shop.Loader")
    plugin = d.klass("com.shop.Extension", fields=[("config", OBJECT)], loader=at, key="plugin",
                     statics=[("cache", OBJECT, s.list(s.items(120, 40000)))])
    d.obj("com.shop.Loader", at, classes=s.list([plugin.id]))
    s.statics("Main", extensions=s.list([d.obj("plugin")]))
    if not lost:
        d.root("jni global", at, 5)


def loader_twins(s):
    """The plug-in was loaded again, and nobody knows either loader."""
    d, objects = s.d, []
    for k in range(2):
        at = d.reserve("com.shop.Loader")
        plugin = d.klass("com.shop.Extension", fields=[("config", OBJECT)], loader=at, key="plugin%d" % k,
                         statics=[("cache", OBJECT, s.list(s.items(60, 40000)))])
        d.obj("com.shop.Loader", at, classes=s.list([plugin.id]))
        objects.append(d.obj("plugin%d" % k))
    s.statics("Main", extensions=s.list(objects))


def loader_thread(s, way):
    """The plug-in is known to a thread, as what it runs or by a ThreadLocal, or to a static of the JDK."""
    d = s.d
    at = d.reserve("com.shop.Loader")
    plugin = d.klass("com.shop.Extension", fields=[("config", OBJECT)], loader=at, key="plugin", statics=[("data", OBJECT, s.data(100000))])
    d.obj("com.shop.Loader", at, classes=s.list([plugin.id]))
    known = plugin.id if way == "class" else d.obj("plugin", config=s.data(1000))
    key = d.obj("java.lang.ThreadLocal")
    if way == "target":
        s.worker("refresher", [("java.lang.Object", "wait")], known)
    elif way == "local":
        s.statics("Format", FORMAT=key)
        s.thread([(key, known)])
    else:
        d.klass("java.sql.Drivers", statics=[("known", OBJECT, s.list([d.obj("java.sql.Info", driver=known)]))])


REGISTRY = "com.shop.Registry.done holds "
TROUBLES = {
    "many_100": (many, (100, 43000), [("warning", "accumulation",
        REGISTRY + "4.10 MiB (100%): 100 com.shop.Item in a java.util.ArrayList")]),
    "many_99": (many, (99, 44000), [("warning", "accumulation", ": 99 com.shop.Item")]),
    "fan_20": (many, (20, 60000), [("note", "accumulation", ": 20 com.shop.Item")]),
    "fan_19": (many, (19, 60000), []),
    "least": (exact, (64 * KIB, MIB), [("note", "accumulation", ": 100 com.shop.Item")]),
    "less": (exact, (64 * KIB - 8, MIB), []),
    "warn": (exact, (4 * MIB,), [("warning", "accumulation", REGISTRY + "4 MiB")]),
    "warn_less": (exact, (4 * MIB - 8,), [("note", "accumulation", REGISTRY + "4.00 MiB")]),
    "tenth": (exact, (4 * MIB + 300 * KIB, 38 * MIB), [("warning", "accumulation", "(10%)")]),
    "tenth_less": (exact, (4 * MIB + 40 * KIB, 38 * MIB), [("note", "accumulation", "(10%)")]),
    "twentieth": (exact, (2 * MIB, 37 * MIB), [("note", "accumulation", "(5%)")]),
    "twentieth_less": (exact, (2 * MIB, 39 * MIB), []),
    "siblings": (siblings, (), [("warning", "accumulation", "com.shop.Desk.calls holds 5.73 MiB"),
                                ("warning", "accumulation", "com.shop.Desk.mails holds 4.58 MiB")]),
    "one_of_40": (one_of_many, (1, 39), [("warning", "accumulation",
        "198 com.shop.Item; 4.59 MiB of it in com.shop.Item.name; one com.shop.Account of 40 has most of it")]),
    "two_of_40": (one_of_many, (3, 37), [("warning", "accumulation",
        "com.shop.Bank.accounts holds 13.8 MiB (100%): 40 com.shop.Account in")]),
    "growing": (growing, (20, 60, 4000), [("warning", "accumulation",
        "the fields com.shop.Desk.mails of 20 objects in com.shop.Bank.desks hold 4.62 MiB (100%) together: 1 200 com.shop.Item in 20 java.util.ArrayList; 4.60 MiB of it in com.shop.Item.name.")]),
    "growing_less": (growing, (200, 19, 1500), [("warning", "accumulation", "com.shop.Bank.desks holds 5.60 MiB (100%): 200 com.shop.Desk in")]),
    "growing_wide": (growing, (60, 60, 1500), [("warning", "accumulation",
        "the fields com.shop.Desk.mails of 60 objects in com.shop.Bank.desks hold ")]),
    "growing_wider": (growing, (61, 60, 1500), [("warning", "accumulation",
        ": 61 com.shop.Desk in a java.util.ArrayList, each with 60 com.shop.Item (3 660 in all); 5.38 MiB of it in com.shop.Desk.mails; nothing")]),
    "growing_uneven": (heaplimits.growing_apart, (400, 20, 600, 3), [("warning", "accumulation",
        "the fields com.shop.Desk.mails of 400 objects in com.shop.Bank.desks hold ")]),
    "growing_even": (heaplimits.growing_apart, (400, 20, 600, 2), [("warning", "accumulation", ": 400 com.shop.Desk in a java.util.ArrayList, each with 20 com.shop.Item (8 002 in all);")]),
    "with_8": (growing, (200, 8, 3000), [("warning", "accumulation", ": 200 com.shop.Desk in a java.util.ArrayList, each with 8 com.shop.Item (1 600 in all);")]),
    "with_7": (growing, (200, 7, 3500), [("warning", "accumulation", ": 200 com.shop.Desk in a java.util.ArrayList; 4.74 MiB of it in com.shop.Desk.mails;")]),
    "with_half": (growing, (200, 10, 1000, 29000), [("warning", "accumulation", ": 200 com.shop.Desk in a java.util.ArrayList; 5.53 MiB of it in com.shop.Desk.calls; nothing")]),
    "growing_most": (growing, (40, 40, 3000, 39000), [("warning", "accumulation", "com.shop.Desk.mails of 40 objects")]),
    "growing_most_less": (growing, (40, 40, 3000, 43000), [("warning", "accumulation", ": 40 com.shop.Desk in")]),
    "growing_maps": (growing_maps, (30, 30, 3000), [("warning", "accumulation",
        "the fields com.shop.Account.orders of 30 objects in com.shop.Bank.accounts hold 5.22 MiB (100%) together: 900 com.shop.Item in 30 java.util.HashMap; 2.59 MiB of it in com.shop.Item.name.")]),
    "growing_tables": (growing_tables, (40, 40, 4000), [("warning", "accumulation", ": 40 com.shop.Account in")]),
    "growing_rows": (growing_tables, (40, 40, 4000, 8), [("warning", "accumulation",
        "the fields com.shop.Account.orders of 40 objects in com.shop.Bank.accounts hold 6.13 MiB (100%) together: 1 600 byte[] in 40 java.lang.Object[].")]),
    "growing_links": (growing_links, (40, 60, 3000), [("warning", "linked structure",
        "the fields com.shop.Account.orders of 40 objects in com.shop.Bank.accounts hold 6.96 MiB (100%) together: a linked structure of 2 400 com.shop.Record.")]),
    "fixed": (fixed, ("java.util.ImmutableCollections$ListN", lambda s: s.items(120, 40000)), []),
    "fixed_guava": (fixed, ("com.google.common.collect.RegularImmutableList", lambda s: s.items(120, 40000)), []),
    "fixed_growing": (fixed, ("java.util.ImmutableCollections$ListN", lambda s: [
        s.d.obj("com.shop.Account", orders=s.list(s.items(60, 4000))) for _ in range(20)]), [("warning", "accumulation",
        "the fields com.shop.Account.orders of 20 objects in com.shop.Table.rows hold 4.62 MiB (100%) together: 1 200 com.shop.Item in 20 java.util.ArrayList; 4.60 MiB of it in com.shop.Item.name.")]),
    "locks": (put_in, (a_lock, 600), [("warning", "accumulation",
        REGISTRY + "4.66 MiB (100%): 600 java.util.concurrent.locks.ReentrantLock in a java.util.HashMap.")]),
    "entries": (put_in, (an_entry, 1200), [("warning", "accumulation",
        REGISTRY + "4.66 MiB (100%): 1 200 java.util.HashMap$Node in a java.util.ArrayList, each with a byte[]; nothing was ever removed from it.")]),
    "table_rows": (put_in, (a_row, 1500), [("warning", "accumulation",
        REGISTRY + "4.47 MiB (100%): 1 500 java.lang.Object[] in a java.util.ArrayList; nothing was ever removed from it.")]),
    "linked_list": (linked_list, (120, 40000), [("warning", "accumulation",
        REGISTRY + "4.58 MiB (100%): 120 byte[] in a java.util.LinkedList.")]),
    "pairs": (pairs, (120, 40000), [("warning", "accumulation", REGISTRY + "4.59 MiB (100%): 240 com.shop.Record in a java.util.ArrayList; nothing was ever removed from it.")]),
    "fast_locals": (fast_locals, (6, 20, 40000), [("warning", "thread local",
        "ThreadLocal com.shop.Codec.RECYCLED holds 4.58 MiB (100%) in 6 threads: 120 com.shop.Item; kept until")]),
    "coroutines": (coroutines, (1200, 4000), [("warning", "accumulation",
        "com.shop.Main.scope holds 4.66 MiB (99%): 1 200 suspended coroutines com.shop.Feed$run$1, each with a com.shop.Item; 4.60 MiB of it in com.shop.Item.name.")]),
    "coroutines_global": (coroutines, (1200, 4000, False), [("warning", "accumulation",
        ": 1 200 suspended coroutines com.shop.Feed$run$1 in a java.lang.Object[], each with a com.shop.Item; 4.60 MiB of it in com.shop.Item.name.")]),
    "registered": (registered, (120, 40000, False), [("warning", "accumulation",
        "com.shop.Canvas.CLEANER holds 4.59 MiB (100%): 120 com.shop.Texture in a java.lang.Object[].")]),
    "registered_ring": (registered, (120, 40000, True), [("warning", "accumulation",
        "com.shop.Canvas.CLEANER holds 4.59 MiB (100%): 116 com.shop.Texture; 4.43 MiB of it in com.shop.Texture.texels.")]),
    "limited": (limited, (120, 120), [("warning", "accumulation", "com.shop.Item.name; may be bounded by com.shop.Lru2.maxEntries = 120.")]),
    "limited_less": (limited, (120, 121), [("warning", "accumulation", ": 120 com.shop.Item in")]),
    "limited_half": (limited, (120, 200, 100), [("note", "bounded cache", "; the cache is bounded")]),
    "limited_huge": (limited, (120, 202, 100), [("warning", "accumulation", ": 120 com.shop.Item in")]),
    "parts": (parts, (), [("warning", "accumulation", "com.shop.Mixed.part0 holds 4.58 MiB (99%): 120 com.shop.Item in")]),
    "subscriptions": (subscriptions, (120, 40000, "Screen"), [("warning", "accumulation",
        "com.shop.Screen.subscriptions holds 4.58 MiB (100%): 120 io.reactivex.Observer.")]),
    "subscriptions_zeros": (subscriptions, (120, 40000, "Screen", True), [("warning", "accumulation",
        "com.shop.Screen.subscriptions holds 4.58 MiB (100%): 120 io.reactivex.Observer.")]),
    "subscriptions_alone": (subscriptions, (120, 40000), [("warning", "accumulation",
        "io.reactivex.Hide.downstream holds 4.58 MiB (100%): 120 io.reactivex.Observer.")]),
    "storage": (storage, (120, 40000), [("warning", "accumulation",
        "io.reactivex.Composite.resources holds 4.58 MiB (100%): 120 com.shop.Item in a java.lang.Object[]; 4.58 MiB of it in com.shop.Item.name.")]),
    "shared_keys": (shared_keys, (1, 1000, 68), [("note", "accumulation", ": 1 000 com.shop.Item in a java.util.HashMap")]),
    "shared_keys_nested": (shared_keys, (30, 60, 60), [("note", "accumulation", ": 1 800 com.shop.Item in 30 java.util.HashMap")]),
    "shared_keys_large": (shared_keys, (1, 1000, 200), [("note", "accumulation", ": 1 000 byte[] in a java.util.HashMap")]),
    "rows": (rows, (120, 40000), [("note", "accumulation", "com.shop.Terrain.heights holds 4.58 MiB (100%): 120 byte[] in")]),
    "rows_hole": (rows, (120, 40000, 1), [("warning", "accumulation", "com.shop.Terrain.heights holds")]),
    "rows_longer": (rows, (120, 40000, 0, 1), [("warning", "accumulation", "com.shop.Terrain.heights holds")]),
    "full_99": (full, (99, 44000), [("note", "accumulation", "com.shop.Table.rows holds 4.16 MiB (100%): 99 com.shop.Item in a java.lang.Object[]; 4.16 MiB of it in com.shop.Item.name.")]),
    "full_100": (full, (100, 44000), [("warning", "accumulation", "com.shop.Table.rows holds")]),
    "full_hole": (full, (99, 44000, 1), [("warning", "accumulation", "com.shop.Table.rows holds")]),
    "zeros": (zeros, (120, 40000), [("warning", "accumulation", REGISTRY + "4.58 MiB")]),
    "zeros_elsewhere": (zeros, (120, 40000, 1), [("warning", "accumulation", REGISTRY + "4.58 MiB"),
        ("note", "equal arrays", "121 arrays have the same content")]),
    "zeros_before": (zeros, (120, 40000, 0, 2), [("warning", "accumulation", REGISTRY + "4.58 MiB"),
        ("note", "equal arrays", "122 arrays have the same content")]),
    "copies": (copies, [60] * 80, [("warning", "accumulation", REGISTRY),
        ("note", "equal arrays", "4 800 arrays have only 80 different contents: the copies waste 4.57 MiB (98%); the worst is byte[]")]),
    "copies_most": (copies, [4000, 300, 300], [("warning", "accumulation", REGISTRY),
        ("note", "equal arrays", "4 600 arrays have only 3 different contents: the copies waste 4.45 MiB (99%); most of that is byte[]")]),
    "library": (library, ("com.shop.",), [("note", "accumulation", "org.h2.Store.pages holds 4.10 MiB (12%): 100 org.h2.Page")]),
    "library_own": (library, ("org.h2.",), [("warning", "accumulation", "org.h2.Store.pages holds 4.10 MiB (12%): 100 org.h2.Page")]),
    "kinds": (kinds, (30, 30, 30, 30, 30), [("warning", "accumulation",
        "com.shop.Journal.events holds 5.73 MiB (100%): 150 objects of 5 classes, mostly 30 com.shop.Kind0 in a java.util.ArrayList; 1.14 MiB of it in com.shop.Kind0.data; nothing was ever removed from it.")]),
    "kinds_half": (kinds, (50, 25, 25), [("note", "accumulation",
        "com.shop.Journal.events holds 3.82 MiB (100%): 50 com.shop.Kind0 in a java.util.ArrayList; 1.91 MiB of it in com.shop.Kind0.data; nothing was ever removed from it.")]),
    "kinds_less": (kinds, (49, 26, 25), [("note", "accumulation", ": 100 objects of 3 classes, mostly 49 com.shop.Kind0 in")]),
    "weak": (weak, (120000, 66000), [("warning", "accumulation",
        ": 120 000 java.lang.ref.WeakReference in a java.util.ArrayList, most of them cleared: their objects were collected; nothing was ever removed from it.")]),
    "weak_half": (weak, (120000, 54000), [("warning", "accumulation", ": 120 000 java.lang.ref.WeakReference in a java.util.ArrayList; nothing was ever removed from it.")]),
    "nested": (nested, (), [("warning", "accumulation", ": 1 200 com.shop.Item in a java.util.HashMap;")]),
    "roots_20": (roots, (20,), [("note", "accumulation", "20 com.shop.Item")]),
    "roots_19": (roots, (19,), []),
    "shared": (shared, (("ById", "ByName"),), [("warning", "accumulation",
        "com.shop.ById.parcels holds 4.58 MiB (100%): 120 com.shop.Item; 4.58 MiB of it in com.shop.Item.name; also held by com.shop.ByName.parcels")]),
    "shared_4": (shared, (("A", "B", "C", "D"),), [("warning", "accumulation",
        "com.shop.A.parcels holds 4.58 MiB (100%): 120 com.shop.Item; 4.58 MiB of it in com.shop.Item.name; also held by com.shop.B.parcels and com.shop.C.parcels")]),
    "mixed": (mixed, (200000,), [("note", "accumulation", "com.shop.Main.mixed holds 4.58 MiB (100%): objects of many kinds")]),
    "mixed_less": (mixed, (170000,), []),
    "jdk_only": (jdk_only, (100, 43000), [("warning", "accumulation", "java.lang.Tables.all holds 4.11 MiB (100%): 100 byte[] in")]),
    "jdk_only_less": (jdk_only, (100, 41000), []),
    "jdk_only_third": (jdk_only, (100, 150000, 20 * MIB), []),
    "jdk_only_large": (jdk_only, (100, 170000), [("warning", "accumulation",
        "java.lang.Tables.all holds 16.2 MiB (100%): 100 byte[] in")]),
    "pool": (queue, (("send", "send"),), [("warning", "pool queue",
        "the queue of the thread pool com.shop.Mail.pool holds 4.58 MiB (100%): 120 com.shop.Task wait; "
        "its 2 threads are in com.shop.Job.send")]),
    "pool_places": (queue, (("send", "run"),), [("warning", "pool queue", "; one of its 2 threads is in com.shop.Job.send")]),
    "pools": (queues, (4, 30), [("warning", "pool queue",
        "the queues of 4 thread pools com.shop.Shard.pool hold 4.58 MiB (100%) together: 120 com.shop.Task wait; "
        "the thread of one pool is in com.shop.Job.send")]),
    "no_pool": (queue, ((),), [("warning", "accumulation", "com.shop.Mail.pool holds")]),
    "delayed": (cancelled, (120, (0,), True), [("warning", "pool queue",
        "the queue of the thread pool java.util.concurrent.CompletableFuture$Delayer.delayer holds 4.58 MiB (100%)")]),
    "cancelled": (cancelled, (120,), [("warning", "pool queue", "the queue of the thread pool com.shop.Desk.calls holds 4.58 MiB")]),
    "scheduled": (cancelled, (120, (4, 0)), [("warning", "pool queue", "120 java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask are scheduled.")]),
    "scheduled_off": (cancelled, (120, (4, 0, 6)), [("warning", "pool queue", "are scheduled, most of them cancelled: see setRemoveOnCancelPolicy.")]),
    "fork_join": (fork_join, (120,), [("warning", "pool queue",
        "the queue of the thread pool com.shop.Mail.pool holds 4.58 MiB (100%): 120 com.shop.Task wait; its thread is in com.shop.Job.send.")]),
    "own_pool": (own_pool, (120,), [("warning", "pool queue",
        "the queue of a thread pool in a local variable of com.shop.Job.load holds 4.58 MiB (100%): 120 com.shop.Task wait; "
        "its 2 threads are in com.shop.Job.send")]),
    "delayed": (delayed, (120, ("pool-1-thread-1", "pool-1-thread-2")), [("warning", "pool queue",
        'the queue of the thread pool of "pool-1-thread-1" holds 4.58 MiB (100%): 120 com.shop.Task are scheduled; '
        "its 2 threads are in JDK code")]),
    "together": (together, (120, ("load-1", "load-2", "load-3")), [("warning", "thread",
        'threads "load-*" keep 4.58 MiB (100%) in local variables of com.shop.Job.load: 120 com.shop.Item')]),
    "together_others": (together, (120, ("load-1", "main")), [("warning", "thread",
        'threads "load-1" and others keep 4.58 MiB (100%) in local variables of com.shop.Job.load: 120 com.shop.Item')]),
    "exceptions": (exceptions, (120,), [("warning", "accumulation",
        "com.shop.Failures.last holds 4.59 MiB (100%): 120 java.lang.IllegalStateException in a java.util.ArrayList")]),
    "sparse": (sparse, (120, 20), [("note", "accumulation", "120 com.shop.Account in"), ("note", "accumulation", "com.shop.Desk.mails"),
        ("note", "empty collections", "140 java.util.HashMap are mostly empty: they waste 2.19 MiB (64%), most of it in com.shop.Account.orders.")]),
    "sparse_spread": (sparse, (48, 50, 52), [("note", "accumulation", "com.shop.Desk.calls"), ("note", "accumulation", "com.shop.Desk.mails"),
        ("note", "accumulation", "com.shop.Registry.done"), ("note", "empty collections", "150 java.util.HashMap are mostly empty: they waste 2.34 MiB (64%).")]),
    "queued": (queued, (120,), [("warning", "accumulation", "120 jdk.internal.ref.PhantomCleanable hold 4.59 MiB (100%) together")]),
    "chain_60": (chain, (60, 5000), [("note", "linked structure",
        "com.shop.Chain.first holds 299 KiB (98%): a linked structure of 60 com.shop.Link, each with a com.shop.Item.")]),
    "chain_120": (chain, (120, 40000), [("warning", "linked structure", "a linked structure of 120 com.shop.Link, each with a com.shop.Item.")]),
    "far": (far, (120,), [("warning", "accumulation", "com.shop.Main.desk holds 4.59 MiB (100%): 120 com.shop.Item")]),
    "far_parts": (far, (240, 110), [("warning", "accumulation", "com.shop.Main.desk holds 9.17 MiB (100%): 240 com.shop.Item")]),
    "two_chains": (two_chains, (), [("warning", "linked structure", "com.shop.Desk.calls holds 5.74 MiB"),
                                    ("warning", "linked structure", "com.shop.Desk.mails holds 4.59 MiB")]),
    "chain_22": (chain, (22, 60000), [("note", "linked structure", "of 22 com.shop.Link, each with a com.shop.Item")]),
    "chain_21": (chain, (21, 60000), []),
    "local_static": (thread_local, (4 * MIB, "static"), [("warning", "thread local",
        "ThreadLocal com.shop.Format.FORMAT holds 4.00 MiB (100%) in 2 threads: "
        "2 com.shop.Buffer; kept until remove() is called or the thread ends")]),
    "local_less": (thread_local, (4 * MIB - 400, "static"), [("note", "thread local", "com.shop.Format.FORMAT")]),
    "local_field": (thread_local, (5 * MIB, "field"), [("warning", "thread local", "ThreadLocal com.shop.Parser.key holds 5.00 MiB (100%): 2 ")]),
    "local_class": (thread_local, (5 * MIB, "class"), [("warning", "thread local", "ThreadLocal com.shop.Job$1 holds")]),
    "local_gone": (thread_local, (MIB, "gone"), [("leak", "thread local",
        "values whose ThreadLocal was collected hold 1.00 MiB (100%): 2 com.shop.Buffer; nothing can read them any more")]),
    "local_lists": (local_lists, (30, 10, 15000), [("leak", "thread local",
        "values whose ThreadLocal was collected hold 4.30 MiB (100%): 300 com.shop.Buffer; nothing can read them any more.")]),
    "local_direct": (local_direct, ("sun.nio.ch.Util", 3, 6 * MIB), [("warning", "direct memory",
        "sun.nio.ch.Util.bufferCache keeps 18 MiB outside the heap: 3 java.nio.DirectByteBuffer; see -Djdk.nio.maxCachedBufferSize.")]),
    "local_direct_own": (local_direct, ("com.shop.Reader", 3, 3 * MIB), [("warning", "thread local",
        "ThreadLocal com.shop.Reader.bufferCache holds 9.00 MiB (100%) in 3 threads: 3 java.nio.DirectByteBuffer; kept until")]),
    "local_weak": (thread_local, (MIB, "weak"), [("leak", "thread local", "values whose ThreadLocal was collected hold 1.00 MiB")]),
    "local_jdk": (inherited, (80000,), [("warning", "thread local",
        "ThreadLocal com.shop.Format.FORMAT holds 4.58 MiB (100%) in 2 threads: 2 java.util.HashMap")]),
    "calls_20": (calls, (20, 220000), [("warning", "thread",
        "calls of com.shop.Job.load that have not returned keep 4.20 MiB (100%) in local variables: 20 com.shop.Item")]),
    "calls_19": (calls, (19, 240000), [("warning", "thread",
        '19 threads "worker" keep 4.35 MiB (100%) in local variables of com.shop.Job.load: 19 byte[]; each works on a com.shop.Item.')]),
    "variable": (local, (30, 150000), [("warning", "thread",
        'thread "worker" keeps 4.29 MiB (100%) in local variables of com.shop.Job.load: 30 com.shop.Item')]),
    "variable_less": (local, (30, 130000), [("note", "thread", "30 com.shop.Item")]),
    "threads_50": (threads, (50,), [("warning", "many threads",
        '50 threads "sender-*" (java.lang.Thread) run, belong to no pool')]),
    "threads_49": (threads, (49,), []),
    "threads_pool": (threads, (50, "java.util.concurrent.ThreadPoolExecutor"), []),
    "threads_jetty": (threads, (50, "org.eclipse.jetty.util.thread.QueuedThreadPool"), []),
    "threads_kotlin": (threads, (64, "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker"), []),
    "threads_bare": (threads_bare, (50,), []),
    "threads_words_50": (threads_words, (50,), [("warning", "many threads",
        '50 threads "poll baaa" and others (java.lang.Thread) run, belong to no pool')]),
    "threads_words_49": (threads_words, (49,), []),
    "threads_words_apart": (threads_words, (99, "read"), [("warning", "many threads", "one of them is in com.shop.Job.run: close")]),
    "pools_50": (pools, (50, 1), [("warning", "thread pools",
        '50 thread pools java.util.concurrent.ThreadPoolExecutor have one thread each ("pool-*-thread-*") and keep')]),
    "pools_49": (pools, (49, 1), []),
    "pools_20": (pools, (20, 10), [("warning", "thread pools",
        '20 thread pools java.util.concurrent.ThreadPoolExecutor have 200 threads ("pool-*-thread-*") and keep')]),
    "pools_19": (pools, (19, 11), []),
    "pools_199": (pools, (20, 9), []),
    "pools_sizes": (pools, (80, 3, "pool-%d-thread-%d", None, 5), []),
    "pools_words": (pools, (50, 1, "mail ", "com.shop.Names"), [("warning", "thread pools",
        "50 thread pools java.util.concurrent.ThreadPoolExecutor have one thread each (made by com.shop.Names) and keep")]),
    "pools_words_49": (pools, (49, 1, "mail ", "com.shop.Names"), []),
    "pool_1000": (pools, (1, 1000), [("warning", "thread pools",
        '1 thread pool java.util.concurrent.ThreadPoolExecutor has 1 000 threads ("pool-*-thread-*") and keeps')]),
    "pool_999": (pools, (1, 999), []),
    "event_loops": (event_loops, (1, 64), []),
    "event_groups": (event_loops, (50, 2), [("warning", "thread pools",
        '50 thread pools com.shop.EventLoopGroup have 100 threads ("loop-*-*") and keep')]),
    "event_words": (event_loops, (50, 1, "loop "), [("warning", "thread pools", "50 thread pools com.shop.EventLoopGroup have one thread each and keep")]),
    "event_words_49": (event_loops, (49, 1, "loop "), []),
    "pools_shared": (pools, (80, 1, "boundedElastic-%d%d"), []),
    "virtual_500": (virtual, (500,), [("note", "virtual threads", "500 virtual threads are parked in com.shop.Job.run and keep")]),
    "virtual_499": (virtual, (499,), []),
    "virtual_ended": (virtual, (500, 0, TERMINATED), []),
    "virtual_numbers": (virtual_numbers, (7,), [("note", "virtual threads", "500 virtual threads run in com.shop.Job.run and keep")]),
    "virtual_numbers_5": (virtual_numbers, (5,), [("note", "virtual threads", "500 virtual threads are parked in com.shop.Job.run and keep")]),
    "virtual_blocked": (virtual, (500, 0, BLOCKED), [("note", "virtual threads", "500 virtual threads are blocked in com.shop.Job.run and keep")]),
    "virtual_lock": (virtual, (500, 0, PARKED, False, False, "free"), [("note", "virtual threads", "; waiting for com.shop.Till.lock in com.shop.Main.till")]),
    "virtual_taken": (virtual, (500, 0, PARKED, False, False, "taken"), [("note", "virtual threads",
        'com.shop.Main.till, which thread "teller" holds')]),
    "virtual_queue": (virtual, (500, 0, PARKED, False, False, "queue"), [("note", "virtual threads", "com.shop.Main.till, which holds them")]),
    "virtual_5000": (virtual, (5000, 1000), [("warning", "virtual threads", "5 000 virtual threads are parked in com.shop.Job.run and keep")]),
    "virtual_4999": (virtual, (4999, 1000), [("note", "virtual threads", "4 999 virtual threads are parked in com.shop.Job.run and keep")]),
    "virtual_items": (virtual, (500, 10000, PARKED, True), [("warning", "virtual threads",
        "most of it 500 com.shop.Item in local variables of com.shop.Job.run")]),
    "virtual_large": (virtual, (520, 8200), [("warning", "virtual threads", "520 virtual threads are parked")]),
    "virtual_smaller": (virtual, (540, 7600), [("note", "virtual threads", "540 virtual threads are parked")]),
    "virtual_bare": (virtual, (500, 0, PARKED, False, True), [("note", "virtual threads", "500 virtual threads are parked with task com.shop.Ticket and keep")]),
    "virtual_bare_held": (virtual, (500, 0, PARKED, False, True), [("note", "virtual threads", "; held by com.shop.Registry.done; the dump lacks their stacks")]),
    "classes_1000": (classes, (1000, "com.shop.Rule%d"), [("note", "generated classes", "1 000 classes com.shop.Rule* of ")]),
    "classes_999": (classes, (999, "com.shop.Rule%d"), []),
    "classes_3000": (classes, (3000, "jdk.proxy2.$Proxy%d"), [("warning", "generated classes", "3 000 classes jdk.proxy.$Proxy* of ")]),
    "classes_lambdas": (classes, (3000, "com.shop.Desk$$Lambda/0x%016x"), [("note", "generated classes", "3 000 classes com.shop.Desk$$Lambda* of ")]),
    "classes_lambdas_2999": (classes, (2999, "com.shop.Desk$$Lambda/0x%016x"), []),
    "finalizers": (finalizers, (1000,), [("warning", "finalizer queue",
        "1 000 com.shop.Finale wait for finalize() and hold 15.6 KiB; "
        "the Finalizer thread is in com.shop.Finale.finalize")]),
    "finalizers_999": (finalizers, (999,), []),
    "finalizers_fresh": (finalizers, (1400, 401), []),
    "finalizers_queued": (finalizers, (1400, 400), [("warning", "finalizer queue", "1 000 com.shop.Finale wait for finalize()")]),
    "finalizers_idle": (finalizers, (1400, 0, True), []),
    "large": (large, (16 * MIB,), [("warning", "large object",
        "com.shop.Buffer.bytes holds 16.0 MiB (100%): one byte[] of 16 777 216 elements")]),
    "large_less": (large, (16 * MIB - 100,), [("note", "large object", "one byte[]")]),
    "large_few": (few, (3, 6 * MIB), [("warning", "accumulation", "com.shop.Images.loaded holds 18.0 MiB (100%): 3 byte[]")]),
    "large_few_less": (few, (3, 5 * MIB), [("note", "accumulation", "3 byte[]")]),
    "direct": (direct, (20, 300 * KIB), [("warning", "direct memory",
        "com.shop.Images.buffers keeps 5.86 MiB outside the heap: 20 java.nio.DirectByteBuffer")]),
    "direct_less": (direct, (20, 200 * KIB), [("note", "direct memory", "3.91 MiB")]),
    "direct_few": (direct, (2, 20 * MIB), [("warning", "direct memory",
        "com.shop.Images.buffers keeps 40 MiB outside the heap: 2 java.nio.DirectByteBuffer")]),
    "direct_files": (direct, (20, 300 * KIB, True), []),
    "direct_android": (direct_android, (120, 40000), [("warning", "accumulation",
        "com.shop.Images.buffers holds 4.58 MiB (100%): 120 java.nio.DirectByteBuffer in a java.util.ArrayList; nothing was ever removed from it.")]),
    "segments": (segments, (20, 300 * KIB), [("warning", "direct memory",
        "com.shop.Images.tiles keeps 5.86 MiB outside the heap: 20 jdk.internal.foreign.NativeMemorySegmentImpl")]),
    "segments_arena": (segments, (20, MIB, False), [("warning", "direct memory",
        "com.shop.Images.session keeps 20 MiB outside the heap: 1 jdk.internal.foreign.MemorySessionImpl.")]),
    "zlib": (zlib, (20,), [("warning", "direct memory",
        "com.shop.Packer.streams keeps about 5.12 MiB outside the heap (zlib memory, estimated): 20 java.util.zip.Deflater")]),
    "zlib_ended": (zlib, (20, False), []),
    "netty": (netty, (100,), [("warning", "netty pool",
        "Netty's buffer pool holds 4.39 MiB (96%); 100 buffers are in use, most of them held by "
        "com.shop.Handler.inflight; release() may be missing")]),
    "netty_99": (netty, (99,), [("note", "netty pool", "99 buffers")]),
    "netty_10": (netty, (10,), [("note", "netty pool", "10 buffers")]),
    "netty_9": (netty, (9,), [("note", "accumulation", "23 io.netty.buffer.PoolChunk")]),
    "lru": (lru, ("com.shop.Lru",), [("warning", "accumulation", "com.shop.Item.name; may be bounded by com.shop.Lru.removeEldestEntry.")]),
    "linked_map": (lru, ("java.util.LinkedHashMap",), [("warning", "accumulation", "com.shop.Service.cache")]),
    "guava_none": (guava, (0,), [("warning", "accumulation", ": 120 com.shop.Item in a java.lang.Object[]; 4.58 MiB of it in com.shop.Item.name.")]),
    "guava": (guava, (-1,), [("warning", "accumulation", "com.shop.Service.cache")]),
    "hash_800": (table, (800, 100), [("warning", "bad hash", "com.shop.Prices.byKey: 800 entries, 87.5% of them collide")]),
    "hash_799": (table, (799, 100), [("note", "bad hash", "com.shop.Prices.byKey: 799 entries, 87.48% of them collide")]),
    "hash_keys": (table, (800, 100, lambda s: s.d.text("key"), lambda s: s.d.obj("com.shop.Parser")), [
        ("warning", "bad hash", "check hashCode() of java.lang.String"), ("note", "accumulation", ": 800 com.shop.Parser in")]),
    "hash_many": (tables, (65, 500, 200, 2000), [("warning", "bad hash", "com.shop.Prices.byKey: 2 000 entries"),
        ("note", "accumulation", "com.shop.Small.all holds"), ("note", "bad hash", "com.shop.Small.all: 32 500 entries, 60% of them collide"), ("note", "accumulation", "com.shop.Prices.byKey holds")]),
    "hash_set": (set_table, (800, 100), [("warning", "bad hash", "com.shop.Prices.byKey: 800 entries")]),
    "hash_500": (table, (500, 200), [("note", "bad hash",
        "com.shop.Prices.byKey: 500 entries, 60% of them collide; check hashCode() of com.shop.Parser")]),
    "hash_499": (table, (499, 190), []),
    "hash_59": (table, (500, 201), []),
    "loader": (loader, (True,), [("warning", "accumulation", "com.shop.Extension.cache holds"),
        ("note", "class loader", ": kept alive by an instance of com.shop.Extension in com.shop.Main.extensions; no leak if it is still in use.")]),
    "loader_twins": (loader_twins, (), [("warning", "class loader", "2 class loaders com.shop.Loader seem abandoned but are still reachable")]),
    "loader_ways": (loader_ways, (3, 2), [("warning", "class loader", "3 class loaders com.shop.Loader seem abandoned (of 5 of that class) but are"),
        ("warning", "class loader", "in com.shop.Way1.known; other holders: 3 in com.shop.Way0.known")]),
    "loader_thread": (loader_thread, ("target",), [("note", "class loader", 'kept alive by an instance of com.shop.Extension in the thread "refresher"; no leak')]),
    "loader_local": (loader_thread, ("local",), [("note", "class loader", "kept alive by an instance of com.shop.Extension in the ThreadLocal com.shop.Format.FORMAT; no leak")]),
    "loader_static": (loader_thread, ("static",), [("note", "class loader", "kept alive by an instance of com.shop.Extension in java.sql.Drivers.known; no leak")]),
    "loader_class": (loader_thread, ("class",), [("note", "class loader", "kept alive by class com.shop.Extension in java.sql.Drivers.known; no leak")]),
    "loader_used": (loader, (False,), [("warning", "accumulation", "com.shop.Extension.cache holds")]),
}
TROUBLES.update(heaplimits.TROUBLES)


def by_chance(seed):
    s = Trouble()
    heaplimits.chance(s, seed)
    return s.build()


def make(name):
    fill, args, _, *more = TROUBLES[name]
    s = Trouble()
    fill(s, *args, **(more[0] if more else {}))
    return s.build()
