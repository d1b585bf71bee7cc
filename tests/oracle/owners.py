# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""owners.py - what the tree of names says about a heap dump once more, slowly, over heapnames.py; used by findings.py.

Who owns what fills the heap, what waits for finalizers, which tables have bad hashes, and which threads are too many.
Kinds of Android, class loaders and copies are not reported here.
"""
import collections
import fnmatch
import math
import re

import pools
from bitmaps import natives
from crowds import STACK, VIRTUAL_BYTES, VIRTUAL_FEW, VIRTUAL_LARGE, VIRTUAL_MANY, VIRTUAL_SHARE, VIRTUAL_TOLD, Crowds
from cuts import JDK, LIBRARY, PROGRAM, Cuts, below, children, holder, kind_of, label, weigh
from heapnames import ON_THREAD, THREAD_LOCALS, Names, raw, shown
from slowbounds import MAYBE, REACHED, Bounds

KIB, MIB = 1 << 10, 1 << 20
LEAST, SHARE = 64 * KIB, 20            # less is not looked at: bytes, and one part in so many
FAN, FAN_ELEMENTS, NESTED, LINKED = 20, 8, 20, 50
WARN, WARN_SHARE, WARN_FEW, MOSTLY = 4 * MIB, 10, 100, 4
MIXED = 16 * MIB
POOL, NETTY = 4, 10
ENTRIES, COLLIDE, LONG = 500, 60, 8
KEYS = 8               # values are reported if they have that part of their keys' bytes
THREADS = 50
WAIT, WAIT_BYTES, WAIT_SHARE = 1000, MIB, 50
TOPS = ("root", "class", "threads")
UNJOINED = ("many threads", "thread pools", "virtual threads", "finalizer queue")
RANK = {"leak": 0, "warning": 1, "note": 2}
BACKLOG = 1000
REFERRERS, BOXES = 12, 8
IMMUTABLE = ("java.util.ImmutableCollections$*", "com.google.common.collect.*Immutable*")
VAR = b"clojure.lang.Var"
RING, ADDED = 256, 50
EACH, PARTS = 8, 3
QUEUES = ("*ThreadPoolExecutor*", "*.ForkJoinPool$WorkQueue")
POOLS = ("*ThreadPoolExecutor*", "*ForkJoin*", "*VirtualThread*")


class Found:
    """One finding."""

    def __init__(self, severity, kind, retained, count, weight, **more):
        self.severity, self.kind, self.retained, self.count, self.weight = severity, kind, retained, count, int(weight)
        self.signature, self.why, self.object, self.other, self.content, self.told = "", "", 0, 0, "", None
        self.__dict__.update(more)

    def join(self, other, owners):
        """The objects of one owner are reported completely with each of its parts, and once."""
        self.count += other.count
        if self.told and other.told and self.told.teller is other.told.teller:
            self.told.n, self.told.native = self.count, min(self.told.native + other.told.native, self.retained)
        else:
            self.retained += other.retained
            self.weight += other.weight
        if self.told:
            self.told.n, self.told.bytes = self.count, self.retained
            self.why = owners.why(self.told, self.kind)
        elif self.kind == "bad hash":
            head, _, tail = self.why.partition(" entries")
            self.why = "%s: %s entries%s" % (head.rpartition(": ")[0], number(self.count), tail)


def zlib(t):
    """Most of the memory outside the heap is an estimate."""
    todo, n = [t.teller], 0
    while todo:
        node = todo.pop()
        n += node.native if shown(node.cls).startswith("java.util.zip.") else 0
        todo += node.kids.values()
    return n * 2 > t.native


class Told:
    """The report about a node where objects accumulate."""


def size(n):
    """Three digits, or whole units."""
    unit, name = next(((u, x) for u, x in ((1 << 30, "GiB"), (MIB, "MiB"), (KIB, "KiB")) if n >= u), (1, "B"))
    exact, v = n % unit == 0, n * 1000 // unit
    step = 1
    while v // step >= 1000 and step < 1000:
        step *= 10
    v = (v + step // 2) // step * step
    if v >= 1024000 and unit < 1 << 30 and not exact:
        return "1.00 " + {"B": "KiB", "KiB": "MiB", "MiB": "GiB"}[name]
    if exact or v >= 100000:
        return "%d %s" % (v // 1000, name)
    return "%d.%d %s" % (v // 1000, v % 1000 // 100, name) if v >= 10000 else "%d.%02d %s" % (v // 1000, v % 1000 // 10, name)


def number(n):
    return format(n, ",").replace(",", " ")


def pool(name):
    """The name of a pool of threads, without their numbers."""
    name = re.sub(r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "*", name)
    name = re.sub(r"(?<![0-9A-Za-z])(0x[0-9a-fA-F]+|(?=[0-9a-fA-F]*[0-9][a-fA-F])[0-9a-fA-F]{6,})(?![0-9A-Za-z])", "*", name)
    return re.sub(r"[0-9]+", "*", name)


def like(text, *globs):
    return any(fnmatch.fnmatchcase(text.decode("utf-8", "replace"), g.replace("[", "[[]")) for g in globs)


class Owners:
    def __init__(self, h, sizes):
        """sizes: object -> elements of collections."""
        self.h, self.names = h, Names(h, natives(h.r))
        self.root = self.names.root
        self.live, self.native = self.root.total, self.root.native_total
        self.whole = self.live + self.native
        self.least = max(LEAST, self.whole // SHARE)
        self.cuts = Cuts(self.names)
        self.whose = self.cuts.whose
        self.bounds = Bounds(h, self.names, self.whose)
        self.sizes = sizes
        self.pools = pools.Pools(h, self.names, sizes)
        self.out = []

    # ---- nodes ----------------------------------------------------------------------------

    def way(self, n):
        """From a node up."""
        while n is not self.root:
            yield n
            n = n.up

    def rank(self, n):
        if kind_of(n) in ON_THREAD:
            return 0
        w = n.holder_whose if kind_of(n) in ("field", "static", "shared") else 0
        if w & PROGRAM and holder(n).endswith(b"$$Lambda"):
            return 1                    # nobody gave a name to what it captured
        if not w & PROGRAM and w & LIBRARY:
            return 2 if n.role == "array" else 1
        return 0 if w & PROGRAM else 3 if w else 4

    def teller(self, n):
        """The nearest field of the program that has no more than half as much again; else of a library, of the JDK."""
        best, least = n, 4
        way = [x for x in self.way(n) if x.role not in TOPS]
        near = [x for k, x in enumerate(way) if all(weigh(y) <= weigh(n) * 3 // 2 for y in way[:k + 1])]
        for x in near:
            if self.rank(x) < least:
                best, least = x, self.rank(x)
        var = next((x for x in near if holder(x) == VAR and label(x) == b"root"), None)
        if var:
            best = var
        elif least >= 3:
            best = next((x for x in way[len(near):] if self.rank(x) <= 1), best)
        return self.of_threads(best)

    def of_threads(self, n):
        """Return the variable of the method in which several threads keep what they work on."""
        inside = False
        if n.count >= FAN or kind_of(n) in THREAD_LOCALS:
            return n
        for x in self.way(n.up):
            if x.role in TOPS or weigh(x) > weigh(n) * 3 // 2:
                break
            local = kind_of(x) == "local"
            inside = inside or x.role == "collection" or (local and x.count > 1)
            if local and inside and not x.holder_whose & JDK and label(x) != b"main":
                return x
        return n

    def behind(self, n, t):
        """The program's field or local above a library's field with several things."""
        todo = [n]
        for x in todo:
            if kind_of(x) != "shared" or not x.holder_whose & LIBRARY or x.count < FAN:
                continue
            for a in [a for a in self.names.holders(x.object) if not below(self.names.of.get(a), x)][:REFERRERS]:
                at = self.names.of.get(a)
                o = self.h.r.objects[a]
                if at is None or at.count < x.count // 2 and (o.kind not in ("o", "p") or o.n < x.count // 2):
                    continue
                end, first = at, None
                for up in self.way(at):
                    if up.role in TOPS:
                        break
                    if self.rank(up) == 0 and kind_of(up) not in THREAD_LOCALS:
                        if up.count * 2 < t.n or up.count == 1:
                            return up
                        first = first or up
                    end = up
                if first:
                    if t.n < first.count and (first.count - t.n) * 20 < t.n:
                        t.n = first.count
                    return first
                if end not in todo and len(todo) < BOXES:
                    todo.append(end)
        return n

    def thing(self, n):
        return bool(self.whose(n.cls) & PROGRAM) and n.role == "plain" and not n.cls.endswith(b"$$Lambda")

    def made(self, n):
        """An object of a library that is not a link of its collections."""
        return bool(self.whose(n.cls) & LIBRARY) and n.role == "plain" and not like(n.cls, "*$*Node", "*$*Entry")

    def thrown(self, n):
        """An exception is one thing, however large its stack trace."""
        return bool(n.object) and "java.lang.Throwable" in [self.h.name(c) for c in self.h.chain(self.names.class_of(n.object))]

    def element(self, kids):
        """The values of a collection whose keys are heavier."""
        for better in (self.thing, self.made):
            if better(kids[0]):
                break
            for k in kids:
                if better(k) and k.count >= kids[0].count // 2 and weigh(k) >= weigh(kids[0]) // KEYS:
                    return k
        return kids[0]

    def content(self, c):
        """Through boxes and collections to the one object of each."""
        n, m, made = c.count, c, None
        for _ in range(8):
            if not made and self.made(m):
                made = m
            if self.thing(m) or self.thrown(m):
                return m
            kids = children(m)
            if m.role in ("collection", "array"):
                if not kids or sum(k.total for k in {kids[0], self.element(kids)}) * 2 < m.total:
                    return made or m
                m = self.element(kids)
                n = m.count
                continue
            kids = [k for k in kids if k.count * 2 >= n and k.count <= 2 * n and k.total * 2 >= m.total - m.self]
            if m.cls == b"java.lang.String" or not kids:
                break
            m = kids[0]
        if self.thing(m):
            return m
        return made if made and self.whose(c.cls) & LIBRARY and not self.made(c) else c

    # ---- words -----------------------------------------------------------------------------

    def owner(self, n):
        """The field, without what kind it is of."""
        text = label(n)
        if not holder(n) and (not text or kind_of(n) == "root"):
            return shown(n.cls)
        return shown(holder(n) + (b"." if holder(n) else b"") + text)

    def var(self, n):
        """The name of what a Var of Clojure has."""
        def text(a, *path):
            for name in path:
                a = (self.h.value(a, name) or (0, 0))[1]
            return a and self.h.text(a)
        if holder(n) != VAR or label(n) != b"root":
            return ""
        at = next((a for a in self.names.holders(n.object)[:REFERRERS] if VAR.decode() in self.supers(a)), 0)
        space, name = text(at, b"ns", b"name", b"name"), text(at, b"sym", b"name")
        return "#'%s/%s" % (shown(space), shown(name)) if space is not None and name is not None and space != 0 != name else ""

    def part(self, bytes_):
        return "%s (%.0f%%)" % (size(bytes_), 100.0 * bytes_ / self.whole)

    def signature(self, n, content):
        parts, last = [], 0             # last: whose the holder of the last step is
        element = False
        for x in reversed(list(self.way(n))):
            k = kind_of(x)
            if k == "threads":
                continue
            if k == "element":
                if parts and not element:
                    parts[-1] += "[]"
                element = True
                continue
            w = PROGRAM if k in ON_THREAD or self.var(x) else x.holder_whose
            if k == "shared" and not w & PROGRAM:
                continue
            if k in ("class", "static", "shared") or k in ON_THREAD or self.var(x):
                parts, last, element = [], 0, False
            if k == "class":
                continue
            if k == "local" and x.holder_whose & JDK:
                last = JDK
                continue
            if k in ("field", "root") and last and (w & JDK or w & last & LIBRARY):
                element = element or bool(w & JDK)
                continue
            parts.append(self.var(x) or shown(holder(x) + b"." + label(x) if k == "shared" else x.name))
            last, element = w or PROGRAM, False
        if not parts:       # of the JDK the class that has the content at once, in every version
            holders = [holder(x) for x in self.way(content) if holder(x)]
            parts = [shown(holders[0].split(b"$")[0] if holders else n.name)]
        return "v2 %s > %s" % (" > ".join(parts), shown(content.cls))

    @staticmethod
    def several(t):
        n = t.owners
        shared = kind_of(t.teller) == "shared" and (t.teller is t.content or t.teller.cls.endswith(b".ForkJoinPool$WorkQueue"))
        return n if n > 1 and not t.one and not shared else 1

    def subject(self, t):
        several, owner, part = self.several(t), self.owner(t.teller), self.part(t.bytes)
        if several == 1:
            owner = self.var(t.teller) or owner
            return "%s holds %s" % (owner, part)
        if kind_of(t.teller) == "field" and holder(t.teller):
            return "the fields %s of %s objects%s hold %s together" % (owner, number(several), self.among(t.teller) if several == t.teller.count - t.teller.folded else "", part)
        if kind_of(t.teller) == "shared":
            owner = shown(t.teller.cls) + (" of " + owner if t.teller.holder_whose & ~JDK else "")
        return "%s %s hold %s together" % (number(several), owner, part)

    def among(self, n):
        """Where the objects are that have the fields."""
        for up in list(self.way(n))[1:]:
            kind = kind_of(up)
            if kind not in ("field", "static", "shared", "element"):
                break
            if kind != "element" and up.holder_whose & PROGRAM and not (kind == "field" and up.count >= n.count):
                return " in " + self.owner(up)
        return ""

    def things(self, t):
        """How many of what; where no class has most of what a collection holds, first what all are."""
        text = "%s %s" % (number(t.n), shown(t.content.cls))
        if self.coroutine(t.content.object):
            text = "%s suspended coroutine%s %s" % (number(t.n), "s" * (t.n != 1), shown(t.content.cls))
        up = t.things.up if t.things else None
        if up is None or up.role not in ("collection", "array") or t.content.count != t.n:
            return text
        kids = children(up)
        if len(kids) < 3 or 2 * sum(weigh(k) for k in {kids[0], t.things}) >= sum(weigh(k) for k in kids):
            return text
        return "%s objects of %d classes, mostly %s" % (number(sum(k.count for k in kids)), len(kids), text)

    @staticmethod
    def even(n):
        """No object has much more than the others."""
        return n.count > 0 and not n.folded and n.most - n.most // 9 <= n.total // n.count

    @staticmethod
    def of_all(t):
        """Return whether nearly all things are in one node."""
        return t.things and not t.content.folded and t.n - t.n // 20 <= t.content.count <= t.n

    def with_many(self, t):
        """The class of which each thing has many objects."""
        if not self.of_all(t):
            return ""
        up = c = t.content
        while up.kids:
            k = children(up)[0]
            if k.total < up.total // 3:
                break
            if k.count // EACH >= c.count:
                return ", each with %s%s %s (%s in all)" % (
                    "" if self.even(c) else "about ", number(k.count // c.count), shown(k.cls), number(k.count))
            up = k
        return ""

    def inside(self, t):
        """The field of the program that has most of the things' bytes."""
        up = c = t.content
        last = None
        while self.of_all(t) and self.whose(c.cls) & PROGRAM and up.kids:
            k = children(up)[0]
            if k.total < up.total // 2 or k.total < c.total // 2 or kind_of(k) != "field":
                break
            last = k if k.holder_whose & PROGRAM else last
            up = k
        return "; %s of it in %s" % (size(last.total), self.owner(last)) if last else ""

    def kept_all(self, t):
        """The collection was changed as often as it has things."""
        a = t.start.object
        if not t.things or t.start.role != "collection" or t.start.count != 1:
            return ""
        inner = self.h.value(a, b"map")
        a = inner[1] if inner and inner[1] in self.h.r.objects else a
        n, changes = self.h.value(a, b"size"), self.h.value(a, b"modCount")
        kept = n and changes and n[0] == changes[0] == 10 and ADDED <= n[1] == changes[1]
        return "; nothing was ever removed from it" if kept else ""

    def by(self, t):
        """The fields that have the same things."""
        names = [self.owner(f) for f in t.fields]
        if not names:
            return ""
        if len(names) > PARTS:
            return "; by %s and %d more" % (", ".join(names[:PARTS]), len(names) - PARTS)
        return "; by %s and %s" % (", ".join(names[:-1]), names[-1])

    def bound(self, b, before):
        if b.removes:
            return before + " by %s.removeEldestEntry" % shown(b.cls)
        return before + " by " + ("%s = %s" % (shown(b.cls + b"." + b.field), number(b.limit)) if b.field else shown(b.cls))

    def each(self, t):
        """The class that each coroutine, and each separate entry, keeps most of."""
        coroutine = self.coroutine(t.content.object)
        if not coroutine and not like(t.content.cls, "java.util.*Entry", "java.util.*Node", "java.util.KeyValueHolder"):
            return ""
        for k in children(t.content):
            if k.count >= t.content.count // 2 and not self.coroutine(k.object) and (
                    not coroutine or (self.whose(k.cls) & PROGRAM and k.role == "plain")):
                cls = shown(k.cls)
                return ", each with %s %s" % ("an" if cls[:1] in "aeioAEIO" else "a", cls)
        return ""

    def coroutine(self, a):
        return a in self.h.r.objects and "kotlin.coroutines.jvm.internal.BaseContinuationImpl" in self.supers(a)

    def scope(self, a):
        """The program's field that has the scope in which a coroutine was started."""
        def ref(a, *names):
            return next((v[1] for v in (self.h.value(a, n) for n in names) if v and v[1] in self.h.r.objects), 0) if a else 0
        for _ in range(64):
            a = ref(a, b"completion") if self.coroutine(a) else a
        for _ in range(16):
            a = ref(ref(a, b"_parentHandle$volatile", b"_parentHandle"), b"job")
            for x in [a] + self.names.holders(a) if a else ():
                for up in self.way(self.names.of[x]) if x in self.names.of else ():
                    if up.role in TOPS:
                        break
                    if self.rank(up) == 0 and kind_of(up) not in THREAD_LOCALS:
                        return up
        return None

    def links(self, t):
        """Return the words for the linked objects and the objects that they carry."""
        for x in self.way(t.things) if t.things else ():
            if x.folded and x is t.content:
                break
            if x.folded:
                text = "%s %s" % (number(x.count), shown(x.cls))
                if x.count == t.content.count == t.n:
                    cls = shown(t.content.cls)
                    return "%s, each with %s %s" % (text, "an" if cls[:1] in "aeioAEIO" else "a", cls)
                return "%s with %s" % (text, self.things(t))
            if x is t.teller:
                break
        return self.things(t)

    def most(self, t, is_it):
        """The elements of the array that it is, has, or is in."""
        def elements(a):
            return [v for v, _ in self.h.out(a, classes=False) if self.h.r.objects[v].kind != "c"]
        near = [t.other] + [v for v, _ in self.h.out(t.other)] + self.names.holders(t.other)
        arrays = [a for a in near if a in self.h.r.objects and self.h.r.objects[a].kind == "o"]
        there = elements(arrays[0]) if arrays else []
        return sum(is_it(a) for a in there) * 2 > len(there)

    def supers(self, a):
        return [self.h.name(c) for c in self.h.chain(self.names.class_of(a))]

    def cleared(self, t):
        def is_it(a):
            return (self.h.value(a, b"referent") or (0, 1))[1] == 0 and "java.lang.ref.Reference" in self.supers(a)
        return ", most of them cleared: their objects were collected" if self.most(t, is_it) else ""

    def cancelled(self, t):
        return ", most of them cancelled: purge() removes them" if self.most(t, self.is_cancelled) else ""

    def is_cancelled(self, a):
        state, above = self.h.value(a, b"state"), self.supers(a)
        return bool(state) and (("java.util.concurrent.FutureTask" in above and state[1] >= 4) or
                                ("java.util.TimerTask" in above and state[1] == 3))

    def waits(self, t):
        def is_it(a):
            return "java.util.concurrent.FutureTask" in self.supers(a) and (self.h.value(a, b"state") or (0, 0))[1] >= 4
        queue = self.names.of.get(t.other)
        if not queue or not any(x.cls.endswith(b"$DelayedWorkQueue") for x in list(self.way(queue))[:2]):
            return "waits" if t.n == 1 else "wait"
        return ("is" if t.n == 1 else "are") + " scheduled" + (
            ", most of them cancelled: see setRemoveOnCancelPolicy" if self.most(t, is_it) else "")

    def why(self, t, kind):
        n, one = t.owners, ""
        subject = self.subject(t)
        inside = self.names.of.get(t.other)
        within = ""
        among = t.owners if inside and t.same and inside.count == t.teller.count else inside.count if inside else 0
        if inside and inside is not t.content and not t.one and inside.role in ("collection", "array"):
            within = " in " + (("an " if shown(inside.cls)[:1] in "aeioAEIO" else "a ") if among == 1 else number(among) + " ") + shown(inside.cls)
        if t.one:
            one = "; one %s of %s has most of it" % (shown(t.one.cls), number(t.one.count))
        alone, things = "%s %s" % (number(t.n), shown(t.content.cls)), self.things(t)
        gone = kind_of(t.teller) == "lost local"
        each = " in %s thread%s" % (number(n), "s" * (n != 1)) if kind_of(t.teller) == "static local" else ""
        calls = "calls of {0} that have not returned keep {1} in local variables" if t.things is t.teller else \
            "{1} in local variables of {0}"
        return {
            "accumulation": lambda: subject + ": " + (things + within + self.cleared(t) + self.cancelled(t) + self.each(t) + self.with_many(t) + self.inside(t)
                if t.things else "objects of many kinds") + one + self.by(t) + self.kept_all(t) + (
                self.bound(t.bound, "; may be bounded") if t.bound.sure == MAYBE else ""),
            "pool queue": lambda: "%s: %s %s" % (self.pool(t), alone, self.waits(t)),
            "linked structure": lambda: "%s: a linked structure of %s%s" % (subject, self.links(t), one),
            "thread local": lambda: "%s %s%s: %s; %s" % (
                "values whose ThreadLocal was collected hold" if gone else "ThreadLocal " + self.owner(t.teller) + " holds", self.part(t.bytes),
                each, alone, "nothing can read them any more" if gone else "kept until remove() is called or the thread ends"),
            "thread": lambda: calls.format(self.owner(t.teller), self.part(t.bytes)) + ": " + (
                things + self.with_many(t) + self.inside(t) if t.things else "one " + shown(t.content.cls)),
            "large object": lambda: "%s: one %s" % (subject, shown(t.content.cls)),
            "direct memory": lambda: "%s keeps %s%s outside the heap%s: %s%s%s" % (
                self.owner(t.teller), "about " * zlib(t), size(t.native), " (zlib memory, estimated)" * zlib(t), alone, one,
                "; see -Djdk.nio.maxCachedBufferSize" if kind_of(t.teller) == "static local" else ""),
            "netty pool": lambda: "Netty's buffer pool holds %s; %s" % (self.part(t.bytes), self.use(t)),
            "bounded cache": lambda: "%s: %s%s" % (subject, things, self.bound(t.bound, "; the cache is bounded")),
        }[kind]()

    def use(self, t):
        if t.netty == "buffers":
            return "%s buffers are in use, most of them held by %s; release() may be missing" % (number(t.n), self.owner(t.teller))
        return size(self.pools.chunk_bytes) + " of its bytes are in use" + (
            ": it is at rest" if t.netty == "rest" else ", but buffers were collected without release()")

    def pool(self, t):
        """A pool that only the JDK has in a local variable is named after its threads; not reported here."""
        owner, part, n = self.owner(t.teller), self.part(t.bytes), self.several(t)
        if kind_of(t.teller) != "local":
            return "the queues of %s thread pools %s hold %s together" % (number(n), owner, part) if n > 1 else \
                "the queue of the thread pool %s holds %s" % (owner, part)
        if t.teller.holder_whose & PROGRAM:
            return "the queue of a thread pool in a local variable of %s holds %s" % (owner, part)
        return " holds " + part

    # ---- one finding ------------------------------------------------------------------------

    def queue(self, t):
        """The queue of a thread pool; the queue of a single worker does not count."""
        pools = [x.cls for x in list(self.way(t.start))[:POOL] if like(x.cls, *QUEUES)]
        return bool(t.things and pools) and not pools[0].endswith(b"$Worker")

    def kind(self, t):
        native = t.native * 2 > t.bytes
        if kind_of(t.teller) in THREAD_LOCALS and not (native and t.teller.holder_whose == JDK):
            return "thread local"
        if kind_of(t.teller) == "local" and not self.queue(t):
            return "thread"
        if native:
            return "direct memory"
        if not t.things:
            return "large object" if t.large else "accumulation"
        if self.queue(t):
            return "pool queue"
        if (self.chain(t.things) and t.things.count > LINKED) or (t.start.role == "plain" and self.linked(t.start)):
            return "linked structure"
        return "bounded cache" if t.bound.sure == REACHED else "accumulation"

    def severity(self, t, kind):
        if kind_of(t.teller) == "lost local":
            return "leak"
        if t.netty == "rest" or t.idle or (t.things and (self.table(t.at, t.things) or self.ring(t.at, t.things))):
            return "note"
        native = t.native * 2 > t.bytes
        many = kind == "thread" or (
            native or (t.things and not t.large and (t.n >= WARN_FEW or not self.fixed(t))) or (
                t.large and t.bytes >= max(MIXED, self.whole // 4)))
        sure = t.whose & PROGRAM or native or t.bytes >= self.whole // 3
        return "warning" if t.bytes >= max(WARN, self.whole // WARN_SHARE) and many and sure and t.bound.sure != REACHED else "note"

    def fixed(self, t):
        """There may be no more of them ever."""
        o = self.h.r.objects.get(t.start.object)
        return like(t.content.cls, "*netty.buffer.*") or (
            t.start.role == "array" and t.start.count == 1 and o and o.kind not in "ic" and o.n == t.things.count)

    def table(self, m, c):
        """Arrays of arrays of numbers that have all of them, each as long as the others: they were made at once."""
        if m.role != "array" or not m.count or not c.count or self.h.r.objects[c.object].kind != "p":
            return False
        return c.count == m.count * self.h.r.objects[m.object].n and c.total == c.count * c.most

    def ring(self, m, c):
        """An array of the program, as long as rings are, whose places are all taken by things of one size."""
        o = self.h.r.objects.get(m.object)
        n = o.n if o and m.role == "array" and m.count == 1 and o.kind not in "ic" else 0
        return bool(m.holder_whose & PROGRAM) and n >= RING and not n & (n - 1) and c.count == n and self.even(c)

    def idle_pool(self, n):
        """Things of pools most of whose objects are not in use."""
        return self.pools.used * 2 < self.pools.all and any(self.pools.is_entry(x.object) for x in self.way(n))

    def evidence(self, t, kind):
        k = min(1.5, max(0.3, math.log10(max(t.n, 1)) / 3)) if t.things else 0.5
        k *= 1 if t.whose & PROGRAM else 0.5
        k *= 0.5 if t.bound.sure == REACHED else 1
        return max(k, 1) * 1.2 if kind == "thread local" else k

    def silent(self, t):
        """Return whether a thing is not reported, because it exists in every program or cannot grow."""
        near = [t.start] + [x for x in list(self.way(t.start))[1:2] if t.start.role == "array"]
        if t.things and any(like(x.cls, *IMMUTABLE) for x in near):
            return True
        if t.content.cls == b"java.lang.Class" or (t.things and t.things.role in TOPS):
            return True
        if t.whose & ~JDK:
            return False
        local = kind_of(t.teller) == "local"
        return t.bytes < max(MIXED if t.bytes < self.whole // 2 else WARN, self.whole // 4) or (t.native * 2 < t.bytes and not local and
                                                         t.content.cls != b"java.lang.String" and t.bytes < self.whole // 2)

    def netty(self, t):
        """Netty's pool owns no memory: who has the buffers does.  Return what it is."""
        near = [x.cls for x in list(self.way(t.things or t.start))[:3]] + [holder(t.teller)]
        if not any(like(x, "*.PoolChunk") for x in near):
            return ""
        if self.pools.chunk_bytes < self.pools.chunks // 2:
            return "rest"
        use = [n for n in self.names.nodes if n.count >= NETTY and n.role == "plain" and like(n.cls, "io.netty.buffer.Pooled*ByteBuf")]
        if not use:
            return "lost" if self.pools.chunks else ""
        best = max(use, key=lambda n: n.count)
        t.content = t.things = best
        t.n, t.teller, t.whose = best.count, self.teller(best), self.whose_above(best)
        for x in self.way(best):
            if x.role in TOPS:
                break
            if x.holder_whose & PROGRAM:
                t.teller = x
                break
        return "buffers"

    def same_field(self, t):
        """The same field of other objects below the same object: all are one report, of the node that has most.  False: another one has."""
        x, top, met = t.teller, t.teller, False
        if t.one or kind_of(x) != "field" or t.owners < 2:
            return True
        while top.up.role not in TOPS:
            top = top.up
        todo = [top]
        while todo:
            n = todo.pop()
            if n is x:
                met = True
            elif (kind_of(n), label(n), holder(n)) == (kind_of(x), label(x), holder(x)) and not n.folded:
                things = max([k.count for k in self.all_below(n) if k.cls == t.content.cls] or [0])
                if things and (weigh(n) > weigh(x) or (weigh(n) == weigh(x) and not met)):
                    return False
                t.owners += n.count
                t.same += n.count
                t.bytes += weigh(n)
                t.native += n.native_total
                t.n += things
            else:
                todo += children(n)[::-1]
        return True

    @staticmethod
    def all_below(n):
        todo = [n]
        for x in todo:
            todo += x.kids.values()
        return todo

    def counted(self, t):
        """The collection knows how many it has: some hang elsewhere."""
        n = self.sizes.get(t.start.object) if t.start.role == "collection" and t.start.count == 1 else None
        if n is not None and t.n < n and (n - t.n) * 20 < t.n:
            t.n = n

    def whose_above(self, n):
        out = 0
        for x in self.way(n):
            out |= self.whose(x.cls) | x.holder_whose
        return out

    def tell(self, start, things, one, large=False, cut=None):
        t = Told()
        t.at = t.start = start
        t.things, t.one, t.large, t.fields = things, one, large, cut.fields if cut else ()
        t.teller = self.teller(start)
        t.content = self.content(things) if things else start
        t.n, t.same = t.content.count, 0
        t.bytes, t.native = max(weigh(start), weigh(t.teller)), start.native_total
        t.whose = self.whose_above(start) | self.whose_above(t.content)
        if not cut and start.role == "plain" and things and weigh(things) < weigh(start) // 2 and not self.linked(start) and start is not things:
            t.bytes = weigh(things)
        self.counted(t)
        t.bound = self.bounds.of(start, t.n, t.n >= BACKLOG and self.whose(t.content.cls) & ~JDK)
        t.owners = t.teller.count - t.teller.folded
        if not self.same_field(t):
            return
        t.netty = self.netty(t)
        t.idle = self.idle_pool(t.content)
        still = t.netty or t.idle
        behind = t.teller if still else self.behind(t.teller, t)
        if behind is t.teller and not still and self.coroutine(t.content.object) and not (
                self.rank(behind) == 0 and kind_of(behind) not in THREAD_LOCALS):
            behind = self.scope(t.content.object) or behind
        told = t.teller
        if behind is not t.teller:
            t.start = t.teller = behind
            t.whose |= self.whose_above(behind)
        t.owners = t.owners if t.same else t.teller.count - t.teller.folded
        t.other = t.start.object or t.content.object
        if t.netty:
            kind = "direct memory" if t.native * 2 > t.bytes and t.netty != "rest" else "netty pool"
        elif self.silent(t):
            return
        else:
            kind = self.kind(t)
        self.add(self.severity(t, kind), kind, t.bytes, t.n, t.bytes * self.evidence(t, kind), object=t.teller.object,
                 other=t.other, content=shown(t.content.cls), signature=self.signature(t.teller if behind is not told else t.things or t.start, t.content),
                 why=self.why(t, kind), told=t)

    def add(self, *args, **more):
        self.out.append(Found(*args, **more))

    # ---- the walk -----------------------------------------------------------------------------

    def fan(self, m, c):
        many = c.count - c.folded
        if m.role == "root":
            return many >= FAN
        if m.role == "threads" and kind_of(c) in THREAD_LOCALS:
            return c.count >= 2 or weigh(c) >= self.least
        if m.role == "threads" and kind_of(c) == "local":
            return many >= FAN
        if m.role == "class":
            return kind_of(c) == "shared" and many >= FAN
        of = self.holders(m)
        if m.role in ("collection", "array") and many >= FAN_ELEMENTS * of and many >= of + FAN:
            return True
        return many >= FAN * of

    @staticmethod
    def chain(m):
        return m.folded > NESTED and m.folded * 3 >= m.count * 2

    def linked(self, m):
        """Objects that hold each other, three or more in a row, and are not below one that has much else."""
        k = children(m)[0] if m.kids else None
        return self.chain(m) and (not k or k.count >= m.count // NESTED or weigh(k) < weigh(m) - weigh(m) // MOSTLY)

    def holders(self, m):
        return 1 if self.uneven(m) else max(m.count, 1)

    def uneven(self, c):
        return c.count > 1 and c.most * 2 >= c.total and not c.folded and not c.native_total

    def many_each(self, m, k, many):
        """The classes of m have many objects each, and none has most of the bytes."""
        n = self.holders(m)
        each = (k.count if self.chain(k) else k.count - k.folded) // n
        return each >= many and (each if self.even(m) else each * each) >= n and not self.uneven(k) and not self.table(m, k)

    def grows_below(self, c):
        """In what has most of their bytes there are many in each."""
        most, m = weigh(c) - weigh(c) // MOSTLY, c
        while weigh(m) >= most and children(m):
            k = children(m)[0]
            if self.many_each(m, k, BACKLOG if kind_of(c) in THREAD_LOCALS else FAN) and (m.role in ("collection", "array") or weigh(k) >= most):
                return True
            m = k
        return False

    def carried(self, m):
        """Return the node that the nodes of a linked structure carry."""
        c = m
        while c.kids:
            k = children(c)[0]
            if weigh(k) * 2 < weigh(m) or k.count < c.count // 2:
                break
            c = k
            if c.count // EACH >= m.count or (self.whose(c.cls) & PROGRAM and c.count * 2 >= m.count):
                break
        return m if self.whose(m.cls) & PROGRAM and not self.whose(c.cls) & PROGRAM else c

    def look(self, m, one):
        """Reports, or returns the nodes to look at next."""
        if m.role not in TOPS and self.linked(m):
            return self.tell(m, self.carried(m), one) or []
        cut = self.cuts.cut(m) if m.role not in TOPS else None
        if cut:
            return self.tell(m, cut.things, one, cut=cut) or []
        todo, rest = [], weigh(m)
        for c in children(m):
            if weigh(c) < self.least:
                break
            rest -= weigh(c)
            fan = c.role not in TOPS and self.fan(m, c)
            uneven = fan and self.uneven(c) and kind_of(c) not in THREAD_LOCALS
            if not fan or uneven or self.grows_below(c):
                todo.append((c, one or c if uneven else one))
            elif m.role in ("collection", "array"):
                kids = children(m)
                e = self.element(kids[kids.index(c):])
                self.tell(m, e if self.fan(m, e) and not self.uneven(e) else c, one)
                return todo
            else:
                self.tell(c if m.role in TOPS else m, c, one)
        if m.role not in TOPS:
            self.tell_rest(m, rest, one)
        return todo

    def tell_rest(self, m, rest, one):
        kids = children(m)
        if m.self >= self.least and rest >= self.least and m.count < m.self >> 16:
            self.tell(m, None if m.most * 2 >= m.self else m, one, True)
        elif rest < self.least or rest * 2 < weigh(m):
            return
        elif m.role in ("collection", "array") and sum(k.count for k in kids) >= FAN * self.holders(m):
            self.tell(m, self.element(kids[kids.index(max(kids, key=lambda k: k.count)):]), one)
        elif rest >= max(MIXED, self.whole // 2) or (
                self.whose(m.cls) & PROGRAM and m.role == "plain" and rest >= max(WARN, self.whole // 4)):
            self.tell(m, None, one)

    def walk(self):
        todo = [(self.root, None)]
        while todo:
            todo += self.look(*todo.pop())

    # ---- other kinds ---------------------------------------------------------------------------

    def key(self, a):
        """The class of the keys of a hash table, or of the table."""
        h = self.h

        def ref(x, *names):
            found = ((h.value(x, n) or (0, 0))[1] for n in names) if x else ()
            return next((v for v in found if v in h.r.objects), 0)
        buckets = ref(ref(a, b"map") or a, b"table")
        for entry, _ in list(h.out(buckets))[:64] if buckets else ():
            key = ref(entry, b"key", b"referent") or ref(ref(entry, b"first"), b"key")
            if key:
                return self.names.class_of(key)
        return self.names.class_of(a)

    def hashes(self, tables):
        """tables: (object, elements, percent that collide)."""
        tables = [t for t in tables if ENTRIES <= t[1] < len(self.h.r.objects) and t[2] >= COLLIDE and t[0] in self.names.of]
        inner = {t[0]: {v for v, _ in self.h.out(t[0])} for t in tables}
        for a, n, collide in tables:
            if any(a in inner[x] for x, _, _ in tables if x != a):
                continue
            t, keys = self.teller(self.names.of[a]), self.names.kind(self.key(a)).text
            bytes_ = max(self.names.retained[x] for x, _, _ in tables if x == a or x in inner[a])
            share = round(n * collide / 100) * 10000 // n / 100
            bad = n // LONG >= round(n - n * collide / 100)
            way = self.signature(t, t)[3:].rpartition(" > ")[0]
            self.add("warning" if bad else "note", "bad hash", bytes_, n, bytes_ + bytes_ // 1000 * n, object=t.object, other=a,
                     content=shown(keys), signature="v2 hash %s > %s" % (way, shown(keys)),
                     why="%s: %s entries, %.4g%% of them collide; check hashCode() of %s" % (
                         self.owner(t), number(n), share, shown(keys)))

    def threads(self):
        """Many of the same kind that are not workers of a pool, many pools, and virtual threads at one place."""
        crowds = Crowds(self.h, self.names)
        for (is_pool, c, by, what, _), members in crowds.kinds():
            weights = {t: crowds.weigh(t, threads, is_pool) for t, threads in members}
            bytes_, n, threads = sum(weights.values()), len(members), sum(len(x) for _, x in members)
            cls, first = shown(self.names.kind(c).text), max(members, key=lambda m: weights[m[0]])
            name = what if by == "name" else crowds.shown_class(members[0][0]) if is_pool else crowds.place(first[0])
            name = what if is_pool else name
            if is_pool:
                whose = ' ("%s")' % name if by == "name" else "" if name == "*" else " (made by %s)" % name
                why = "%s thread pool%s %s %s %s%s and keep%s %s" % (
                    number(n), "s" * (n > 1), cls, "have" if n > 1 else "has",
                    "one thread each" if n > 1 and n == threads else number(threads) + " threads", whose, "s" * (n == 1), self.part(bytes_))
            else:
                who = '"%s"' % name if by == "name" else '"%s" and others' % shown(self.h.thread_name(crowds.serial[first[0]]))
                why = "%s threads %s (%s) run, belong to no pool and keep %s" % (number(n), who, cls, self.part(bytes_))
            self.add("warning", "thread pools" if is_pool else "many threads", bytes_, n, max(bytes_, threads * STACK), content=cls,
                     object=first[0], signature="v2 %s %s > %s" % ("pools" if is_pool else "threads", name, cls), why=why)
        self.virtual_threads(crowds)

    def virtual_threads(self, crowds):
        """Report virtual threads.  Findings about their local variables and their stacks become part of this report."""
        kept, left = {}, []
        groups = crowds.virtual()
        of = {a: key for key, members in groups.items() for a in members}
        for f in self.out:
            a = f.other or f.object
            while a in self.names.parent and not crowds.is_virtual(a):
                a = self.names.parent[a]
            t = f.told and f.told.teller
            if t is None or t.count < THREADS or not (kind_of(t) == "local" or t.holder_whose == JDK) or of.get(a) is None:
                left.append(f)
            elif f.told.content is not None and not self.whose(f.told.content.cls) & JDK and (
                    of[a] not in kept or f.retained > kept[of[a]].retained):
                kept[of[a]] = f
        self.out = left
        for key, members in groups.items():
            bytes_, n, f = sum(self.names.retained[a] for a in members), len(members), kept.get(key)
            large = (n >= VIRTUAL_MANY or (n >= VIRTUAL_FEW and bytes_ // n >= VIRTUAL_LARGE)) and bytes_ >= max(VIRTUAL_BYTES, self.live // VIRTUAL_SHARE)
            if n >= VIRTUAL_TOLD or f:
                self.add("warning" if large or (f and f.severity == "warning") else "note", "virtual threads", bytes_, n, bytes_ * 3 // 2,
                         signature="v2 virtual threads %s > java.lang.VirtualThread" % key[0], object=members[0],
                         why="%s virtual threads %s %s %s and keep %s" % (
                             number(n), key[2], "in" if key[1] else "with task", key[0], self.part(bytes_)))

    def order(self, a):
        return next(k for k, (x, _) in enumerate(self.h.r.threads.values()) if x == a)

    def fresh_queue(self):
        """Finalizer.queue: a reference that names it is not in it yet."""
        for a, c in self.h.r.classes.items():
            if self.h.name(a) == "java.lang.ref.Finalizer":
                for n, t, v in c.statics:
                    at = int.from_bytes(v, "big")
                    if self.h.r.names.get(n) == b"queue" and t == 2 and at in self.names.parent:
                        return at
        return 0

    def idle(self):
        """The Finalizer thread waits for its queue."""
        for serial, frames in self.h.stacks().items():
            if frames and self.h.thread_name(serial) == "Finalizer":
                return any(self.names.method(f)[0] == b"java.lang.ref.ReferenceQueue" and
                           self.names.method(f)[1].startswith(b"remove") for f in frames[:8])
        return False

    def finalizers(self):
        h, waiting = self.h, collections.defaultdict(list)
        if self.idle():
            return
        for a in self.names.parent:
            if h.class_of(a) in ("java.lang.ref.Finalizer", "java.lang.ref.FinalizerReference"):
                v = [(h.value(a, f) or (0, 0))[1] for f in (b"zombie", b"referent")]
                v = next((x for x in v if x), 0)
                queue = (h.value(a, b"queue") or (0, 0))[1]
                if queue and queue == self.fresh_queue():
                    continue
                if v in h.r.objects and v not in self.names.parent:
                    waiting[self.names.class_of(v)].append(v)
        seen = set()
        for c, members in sorted(waiting.items(), key=lambda x: str(x[0])):
            bytes_, stack = 0, sorted(members)
            while stack:
                a = stack.pop()
                if a not in seen:
                    seen.add(a)
                    bytes_ += h.shallow[a]
                    stack += [v for v, s in h.out(a) if s in self.names.counts and v not in self.names.parent]
            cls = shown(self.names.kind(c).text)
            if len(members) >= WAIT or bytes_ >= max(WAIT_BYTES, self.live // WAIT_SHARE):
                self.add("warning", "finalizer queue", bytes_, len(members), bytes_ * 2, content=cls,
                         signature="v2 finalizer > " + cls,
                         why="%s %s wait%s for finalize() and hold%s %s" % (
                             number(len(members)), cls, *["s" if len(members) == 1 else ""] * 2, size(bytes_)))

    # ---- all ------------------------------------------------------------------------------------

    def above(self, a):
        out = []
        while a in self.names.parent and len(out) < 1000:
            out.append(a)
            a = self.names.parent[a]
        return out

    def told_above(self, f, leaks, loaders):
        """Objects below a leaking object, or below a reported class loader, are reported with it.

        leaks: classes of leaking objects; loaders: (class of the loader, bytes)."""
        if f.kind in UNJOINED:
            return False
        h, up = self.h, self.above(f.other or f.object)
        if any(h.class_of(a) in leaks for a in self.above(f.other) + self.above(f.object)):
            return True
        for cls, bytes_ in loaders:
            if bytes_ // 10 * 11 < f.retained:
                continue
            for a in up:
                c = a if h.r.objects[a].kind == "c" else self.names.class_of(a)
                loader = h.r.classes[c].loader if c in h.r.classes else 0
                if h.class_of(a) == cls or (loader in h.r.objects and h.class_of(loader) == cls):
                    return True
        return False

    def findings(self, tables, leaks, loaders):
        self.walk()
        self.hashes(tables)
        self.threads()
        self.finalizers()
        first = {}
        for f in sorted(self.out, key=lambda f: (RANK[f.severity], -f.weight)):
            key = f.kind, f.signature
            if key in first and f.kind not in UNJOINED:
                first[key].join(f, self)
            else:
                first[key if key not in first else (key, id(f))] = f
        return sorted((f for f in first.values() if not self.told_above(f, leaks, loaders)), key=lambda f: (RANK[f.severity], -f.weight))
