# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pools.py - how many objects of pools, and bytes of Netty's chunks, are in use, over heapnames.py; used by owners.py."""

CHUNK, POOLS, LEAST = "io.netty.buffer.PoolChunk", 64, 2

# Class; paths of objects in use, idle, all, and of threads that wait; class of the pooled objects.  With a state, those of all that have 1.
RULES = (
    ("com.zaxxer.hikari.pool.HikariPool", "", "", "connectionBag.sharedList.array", "connectionBag.waiters", "state",
     "com.zaxxer.hikari.pool.PoolEntry"),
    ("org.apache.commons.pool2.impl.GenericObjectPool", "", "idleObjects.count", "allObjects", "idleObjects.notEmpty", "",
     "org.apache.commons.pool2.impl.DefaultPooledObject"),
    ("org.apache.tomcat.jdbc.pool.ConnectionPool", "busy.items", "idle.items", "size", "waitcount", "",
     "org.apache.tomcat.jdbc.pool.PooledConnection"),
    ("com.mchange.v2.resourcepool.BasicResourcePool", "", "unused", "managed", "acquireWaiters", "",
     "com.mchange.v2.c3p0.impl.C3P0PooledConnection"),
    ("com.alibaba.druid.pool.DruidDataSource", "activeCount", "poolingCount", "", "notEmptyWaitThreadCount", "",
     "com.alibaba.druid.pool.DruidConnectionHolder"),
    ("org.apache.http.pool.AbstractConnPool", "leased", "available", "", "pending", "", "org.apache.http.pool.PoolEntry"),
    ("org.apache.hc.core5.pool.StrictConnPool", "leased", "available", "", "pending", "", "org.apache.hc.core5.pool.PoolEntry"))


class Pools:
    def __init__(self, h, names, sizes):
        self.h, self.names, self.sizes = h, names, sizes
        self.all = self.used = 0
        for a in self.of_row():
            self.all, self.used = self.all + a[1], self.used + a[0]
        self.chunks = self.chunk_bytes = 0
        for a in names.of_class(CHUNK):
            size_, free = (self.number(self.h.value(a, f)) for f in (b"chunkSize", b"freeBytes"))
            if size_ and size_ > 0 and free is not None:
                self.chunks += size_
                self.chunk_bytes += size_ - min(max(free, 0), size_)

    def is_entry(self, a):
        return a in self.h.r.objects and any(c == row[-1] for c in map(self.h.name, self.h.chain(self.names.class_of(a))) for row in RULES)

    @staticmethod
    def number(v):
        if v is None or v[0] not in (10, 11):
            return None
        return v[1] - (1 << (32 if v[0] == 10 else 64)) if v[1] >> (31 if v[0] == 10 else 63) else v[1]

    def waiters(self, a):
        n, at = 0, self.h.value(a, b"firstWaiter")
        while at and at[1] in self.h.r.objects and n < 65535:
            n, at = n + 1, self.h.value(at[1], b"nextWaiter")
        return n

    def count(self, a):
        """The elements of a collection or an array, the threads that wait for a condition, or a number that an object has."""
        o = self.h.r.objects.get(a)
        if o is None or a == 0:
            return 0
        if o.kind == "o":
            return o.n
        if a in self.sizes:
            return self.sizes[a]
        return self.waiters(a) if self.h.value(a, b"firstWaiter") else self.number(self.h.value(a, b"value"))

    def end(self, a, path):
        v = (2, a)
        for name in path.split("."):
            v = self.h.value(v[1], name.encode()) if v and v[0] == 2 else None
        return v

    def at(self, a, path):
        v = self.end(a, path) if path else (10, 0)
        return None if v is None else self.count(v[1]) if v[0] == 2 else self.number(v)

    def of_row(self):
        """(in use, all) of pools."""
        out = []
        for a in self.names.parent:
            names = [self.h.name(c) for c in self.h.chain(self.names.class_of(a))] if self.h.r.objects[a].kind == "i" else ()
            row = next((r for r in RULES if r[0] in names), None)
            if row is None or len(out) >= POOLS:
                continue
            used, idle, all_, waiting = (self.at(a, path) for path in row[1:5])
            if None in (used, idle, all_, waiting):
                continue
            if row[5]:
                used += sum(self.number(self.h.value(x, row[5].encode())) == 1 for x in self.h.r.elements(self.h.r.objects[self.end(a, row[3])[1]])
                            if x in self.h.r.objects)
            elif not row[1]:
                used = all_ - idle
            all_ = all_ if row[3] else used + idle
            if all_ >= LEAST or waiting:
                out.append((max(used, 0), max(all_, 0)))
        return out
