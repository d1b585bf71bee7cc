# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slowbounds.py - what limits how many things a collection has, over heapnames.py; used by owners.py."""
import collections
import fnmatch

from cuts import JDK, PROGRAM

NONE, MAYBE, REACHED = range(3)
ENDLESS, FEW, NEAR, UNWRAPPED = (-1, (1 << 31) - 1, (1 << 63) - 1), 50, 4, 4

# Caches and queues that know their limit: fields of the limit and of what counts against it; QUEUE: things wait in it.
QUEUE = "queue"
KNOWN = {
    "com.google.common.cache.LocalCache": (b"maxWeight", None),
    "com.google.common.collect.EvictingQueue": (b"maxSize", None),
    "com.github.benmanes.caffeine.cache.BoundedLocalCache": (b"maximum", b"weightedSize"),
    "com.googlecode.concurrentlinkedhashmap.ConcurrentLinkedHashMap": (b"capacity", b"weightedSize"),
    "com.fasterxml.jackson.databind.util.internal.PrivateMaxEntriesMap": (b"capacity", b"weightedSize"),
    "com.fasterxml.jackson.databind.util.LRUMap": (b"_maxEntries", None),
    "org.apache.commons.collections4.map.LRUMap": (b"maxSize", None),
    "org.apache.commons.collections.map.LRUMap": (b"maxSize", None),
    "org.apache.commons.collections4.queue.CircularFifoQueue": (b"maxElements", None),
    "org.apache.lucene.search.LRUQueryCache": (b"maxSize", None),
    "org.ehcache.impl.internal.store.heap.OnHeapStore": (b"capacity", None),
    "net.sf.ehcache.store.MemoryStore": (b"maximumSize", None),
    "org.springframework.util.ConcurrentLruCache": (b"capacity", None),
    "android.util.LruCache": (b"maxSize", b"size"),
    "androidx.collection.LruCache": (b"maxSize", b"size"),
    "androidx.collection.internal.LruHashMap": (b"maxSize", b"size"),
    "java.util.concurrent.LinkedBlockingQueue": (b"capacity", QUEUE),
    "java.util.concurrent.LinkedBlockingDeque": (b"capacity", QUEUE)}
LIMITS = ("max*", "*Max*", "capacity*", "*Capacity", "limit*", "*Limit", "bound*")
RECORDS = ("*Active", "peak*", "*Peak", "*Seen", "*Ever*", "*SoFar", "high*", "*High*")      # the most so far
LINKED = "java.util.LinkedHashMap"
WRAPS = ("java.util.Collections$Synchronized*", "java.util.Collections$Unmodifiable*", "java.util.Collections$SetFromMap")

Bound = collections.namedtuple("Bound", "sure cls field limit removes", defaults=(NONE, b"", b"", 0, False))


def like(text, globs):
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return any(fnmatch.fnmatchcase(text, g) for g in globs)


class Bounds:
    def __init__(self, h, names, whose):
        self.h, self.names, self.whose = h, names, whose

    # ---- fields ----------------------------------------------------------------------------

    def number(self, a, name):
        """The value of an int or long, or of an object that has one; None: neither."""
        for _ in range(2):
            v = self.h.value(a, name) if a else None
            if v and v[0] in (10, 11):
                return v[1] - (1 << (32 if v[0] == 10 else 64)) if v[1] >> (31 if v[0] == 10 else 63) else v[1]
            a, name = v[1] if v and v[0] == 2 else 0, b"value"
        return None

    def chain(self, a):
        o = self.h.r.objects.get(a)
        return [self.h.name(c) for c in self.h.chain(o.cls)] if o and o.kind == "i" else []

    def limit_field(self, a, count, sure):
        """A field whose name is that of a limit says how many there may be, and there are as many."""
        o, found = self.h.r.objects.get(a), None
        if o is None or o.kind != "i":
            return None
        for _, name, t, _ in self.h.fields(o.cls):
            if t not in (10, 11) or not like(name, LIMITS):
                continue
            v = self.number(a, name)
            if v in ENDLESS:
                return None
            if v == count and not like(name, RECORDS):
                found = Bound(sure, self.names.kind_of(a).text, name, v)
        return found

    # ---- a collection that limits itself -------------------------------------------------------

    def known(self, n, count, backlog):
        name = next((c for c in self.chain(n.object) if c in KNOWN), None)
        if name is None:
            return None
        field, size = KNOWN[name]
        limit = self.number(n.object, field)
        if (size is QUEUE and backlog) or limit is None or not 0 <= limit < (1 << 31) - 1:
            return Bound()
        used, each = self.number(n.object, size) if size not in (None, QUEUE) else None, count // n.count
        if used is not None:
            sure = REACHED if used >= limit // 2 else MAYBE if each <= limit else NONE
        elif self.weighs(n.object):
            sure = REACHED
        else:
            sure = NONE if each > limit + limit // 10 else REACHED if each >= limit // 2 else MAYBE
        return Bound(sure, self.names.kind_of(n.object).text, field, limit)

    def weighs(self, a):
        v = self.h.value(a, b"weigher")
        return bool(v and v[0] == 2 and v[1] in self.h.r.objects) and not like(self.h.class_of(v[1]), ("*OneWeigher", "*Singleton"))

    def unwrapped(self, a):
        for _ in range(UNWRAPPED):
            v = self.h.value(a, b"m") if a in self.h.r.objects and like(self.h.class_of(a), WRAPS) else None
            if not v or v[1] not in self.h.r.objects:
                break
            a = v[1]
        return a

    def eldest(self, n, count):
        """A map of the program that may remove its eldest entry: one that was changed more often than it has entries did."""
        a = self.unwrapped(n.object) if n.role == "collection" else 0
        if LINKED not in self.chain(a)[1:] or self.names.kind_of(a).whose & JDK:
            return None
        removes = Bound(MAYBE, self.names.kind_of(a).text, removes=True)
        size, changes, by_access = (self.h.value(a, f) for f in (b"size", b"modCount", b"accessOrder"))
        if not size or not changes or size[1] == changes[1]:
            return removes
        if by_access and by_access[1]:
            return removes._replace(sure=REACHED)
        return (self.limit_field(a, count, REACHED) if n.count == 1 else None) or removes

    def by_name(self, n, backlog):
        bounded = like(n.cls, ("*BoundedBuffer",)) or (not backlog and like(n.cls, ("*ArrayBlockingQueue",)))
        return Bound(REACHED, n.cls) if bounded and not like(n.cls, ("*Unbounded*",)) else None

    # ---- the way up -------------------------------------------------------------------------------

    def of(self, node, count, backlog):
        """A limit counts for the entries of a collection, not for what the program's objects in it have."""
        entries, lists, k, n = True, 0, 0, node
        while n is not self.names.root:
            if n.count == 0:
                return Bound()
            found = None
            if entries and lists <= n.count:
                found = self.known(n, count, backlog) or self.eldest(n, count) or self.by_name(n, backlog)
            if found is None and k < NEAR and n.object and not self.whose(n.cls) & JDK and n.count == 1 and count >= FEW:
                found = self.limit_field(n.object, count, MAYBE)
            if found is not None:
                return found
            entries = entries and not (n.role == "plain" and self.whose(n.cls) & PROGRAM)
            if n.role == "collection" and not n.cls.startswith(b"java.util.concurrent.atomic."):
                lists = max(lists, n.count)
            n, k = n.up, k + 1
        return Bound()
