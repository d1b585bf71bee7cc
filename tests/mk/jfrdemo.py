#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jfrdemo.py [SEED] - the demo recording, to standard output: 40 seconds of a shop that sells tickets, the sale begins in the middle.

Pages wait for the database; prices are a hot method; templates allocate; and the seats of all orders are behind one lock, which is
held while the journal is forced to disk.  A cache keeps growing, and the collector's pauses grow with it.
"""
import heapq
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from jfrfile import Chunk, java_class, method, stack, state, thread  # noqa: E402

MS = 1000000
START_NS = 1767271800000000000
SECONDS = 40
CHUNK = 20
SALE = 20000 * MS
PID = 4711
CPUS = 4
MIB = 1 << 20


def frame(text, line, kind="JIT compiled"):
    owner, name = text.rsplit(".", 1)
    return method(owner.replace(".", "/"), name), line, kind


SERVE = [frame("org.shop.http.Worker.serve", 64), frame("org.shop.http.Worker.run", 41, "Interpreted"), frame("java.lang.Thread.run", 833, "Interpreted")]
ORDER = [frame("org.shop.web.OrderPage.buy", 88)] + SERVE
PRICE = [frame("org.shop.price.Rules.price", 52)] + ORDER
RESERVE = [frame("org.shop.store.Seats.reserve", 73)] + ORDER
RENDER = [frame("org.shop.web.Template.render", 120)] + ORDER
STACKS = {
    "parse": [[frame("org.shop.http.Parser.header", 31, "Inlined"), frame("org.shop.http.Parser.parse", 19)] + SERVE,
              [frame("java.lang.String.substring", 2709), frame("org.shop.http.Parser.parse", 24)] + SERVE],
    "price": [[frame("org.shop.price.Rule.matches", 37, "Inlined")] + PRICE] * 5 + [
              [frame("java.util.regex.Pattern$BmpCharProperty.match", 3979), frame("java.util.regex.Matcher.find", 745),
               frame("org.shop.price.Rule.matches", 34)] + PRICE] * 3 + [[frame("java.math.BigDecimal.multiply", 1498)] + PRICE],
    "reserve": [[frame("org.shop.store.Seats.mark", 91)] + RESERVE,
                [frame("java.util.HashMap.get", 552), frame("org.shop.store.Seats.mark", 90)] + RESERVE],
    "render": [[frame("java.lang.StringBuilder.append", 179)] + RENDER] * 2 + [
               [frame("org.shop.web.Escape.html", 27, "Inlined")] + RENDER,
               [frame("java.util.Arrays.copyOf", 3537), frame("java.lang.AbstractStringBuilder.ensureCapacityInternal", 228),
                frame("java.lang.StringBuilder.append", 179)] + RENDER],
}
READ = [frame("sun.nio.ch.SocketDispatcher.read0", -1, "Native"), frame("org.shop.store.Database.query", 58), frame("org.shop.store.Tickets.find", 45)] + ORDER
FORCE = [frame("sun.nio.ch.FileChannelImpl.force", 471), frame("org.shop.store.Journal.write", 66)] + RESERVE
TAKE = [frame("jdk.internal.misc.Unsafe.park", -1, "Native"), frame("java.util.concurrent.LinkedBlockingQueue.take", 435)] + SERVE[1:]
CACHE = [frame("org.shop.web.PageCache.put", 29)] + ORDER
ALLOCATED = (("[B", STACKS["render"][3], 14), ("java/lang/String", STACKS["parse"][1], 4), ("[C", STACKS["render"][0], 3),
             ("java/math/BigDecimal", STACKS["price"][8], 5), ("org/shop/web/Page", CACHE, 2))
MAIN = thread(PID + 1, "main", 1)
WORKERS = [thread(PID + 20 + i, "http-%d" % i, 20 + i) for i in range(1, 7)]
COLLECTOR = thread(PID + 3, None, 0, os_name="GC Thread#0")


def ended(event):
    at, _, fields = event
    return at + fields.get("duration", 0)


class Shop:
    """The events of a shop as (time, type of event, fields), and the CPU pieces of its threads."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.events, self.busy = [], []
        self.pauses = []
        self.free = 0            # when the lock of the seats is

    def tell(self, at, kind, **fields):
        self.events.append((at, kind, fields))

    def between(self, low, high):
        return self.r.randrange(low * MS // 10, high * MS // 10)

    def work(self, who, at, what, low, high):
        end = at + self.between(low * 10, high * 10)
        self.busy.append((at, end, who, what))
        return end

    def blocked(self, kind, at, end, who, frames, least=10 * MS, **fields):
        if end - at >= least:
            self.tell(at, kind, duration=end - at, eventThread=who, stackTrace=stack(frames), **fields)

    def order(self, at, who):
        """One request up to the lock."""
        idle = at + int(self.r.expovariate(1 / ((130 if at < SALE else 25) * MS)))
        self.blocked("jdk.ThreadPark", at, idle, who, TAKE, parkedClass=java_class("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject"))
        at = self.work(who, idle, "parse", 2, 4)
        end = at + self.between(80, 320)
        self.blocked("jdk.SocketRead", at, end, who, READ, host="db.shop.example", address="10.0.0.7", port=5432, bytesRead=self.r.randrange(900, 40000))
        return self.work(who, end, "price", 9, 22)

    def seats(self, at, who):
        """The lock, the journal, the page."""
        begin = max(at, self.free)
        self.blocked("jdk.JavaMonitorEnter", at, begin, who, RESERVE, monitorClass=java_class("org/shop/store/Seats"), address=0x7f00)
        at = self.work(who, begin, "reserve", 1, 3)
        end = at + self.between(60, 150) + (self.between(100, 900) if self.r.randrange(40) == 0 else 0)
        self.blocked("jdk.FileForce", at, end, who, FORCE, path="/var/shop/journal")
        self.free = end
        return self.work(who, end, "render", 5, 12)

    def run(self):
        todo = [(self.between(0, 500), i, False) for i in range(len(WORKERS))]
        heapq.heapify(todo)
        while todo[0][0] < SECONDS * 1000 * MS:
            at, i, ordered = heapq.heappop(todo)
            at = self.seats(at, WORKERS[i]) if ordered else self.order(at, WORKERS[i])
            heapq.heappush(todo, (at, i, not ordered))
        self.memory()
        self.samples()
        self.levels()
        # Written when they are over; events that outlast the recording are not.
        self.events = sorted((e for e in self.events if ended(e) < SECONDS * 1000 * MS), key=ended)

    def memory(self):
        """Allocation with each piece of work; the collector when the heap is full."""
        used, kept, gc, bag = 90 * MIB, 80 * MIB, 0, [a for a in ALLOCATED for _ in range(a[2])]
        sampled, allocated = 0, {}
        for at, end, who, what in sorted(self.busy, key=lambda b: b[0]):
            size = (end - at) * {"render": 900, "price": 260, "parse": 300, "reserve": 40}[what] // 4000
            allocated[who] = allocated.get(who, 0) + size
            used += size
            sampled += size
            while sampled > 3 * MIB:
                name, frames, _ = self.r.choice(bag)
                self.tell(self.r.randrange(at, end), "jdk.ObjectAllocationSample", eventThread=who, stackTrace=stack(frames), objectClass=java_class(name),
                          weight=3 * MIB + self.r.randrange(-MIB, MIB))
                sampled -= 3 * MIB
            if used > 400 * MIB:
                gc += 1
                kept += self.r.randrange(3 * MIB, 9 * MIB)
                self.pause(end, gc, used, kept)
                used = kept
        for i in range(9):
            self.tell(SECONDS * 1000 * MS - 1, "jdk.OldObjectSample", eventThread=self.r.choice(WORKERS), stackTrace=stack(CACHE if i % 4 else STACKS["parse"][1]),
                      allocationTime=self.r.randrange(1000, 30000) * MS, objectSize=self.r.randrange(24, 4096))
        for second in range(10, SECONDS + 1, 10):
            for who in WORKERS:
                self.tell(second * 1000 * MS - 2, "jdk.ThreadAllocationStatistics", allocated=allocated[who] * second // SECONDS, thread=who)

    def pause(self, at, gc, used, kept):
        length = 9 * MS + (kept - 80 * MIB) * 60 // MIB * 10000 + self.between(0, 40)
        space = (0x700000000, 0x720000000, 512 * MIB, 0x720000000, 512 * MIB)
        cause = ("jdk.types.GCCause", "G1 Evacuation Pause")
        self.pauses.append((at, at + length))
        self.tell(at - 1000, "jdk.GCHeapSummary", gcId=gc, when=("jdk.types.GCWhen", "Before GC"), heapSpace=space, heapUsed=used)
        self.tell(at, "jdk.GarbageCollection", duration=length, gcId=gc, name=("jdk.types.GCName", "G1New"), cause=cause, sumOfPauses=length, longestPause=length)
        self.tell(at, "jdk.GCPhasePause", duration=length, eventThread=COLLECTOR, gcId=gc, name="GC Pause")
        self.tell(at + length, "jdk.GCHeapSummary", gcId=gc, when=("jdk.types.GCWhen", "After GC"), heapSpace=space, heapUsed=kept)

    def samples(self):
        """Each 20 ms at most five of the threads that run, as the JDK looks; in pauses none."""
        busy = sorted(self.busy, key=lambda b: b[0])
        for at in range(7 * MS, SECONDS * 1000 * MS, 20 * MS):
            if any(a <= at < b for a, b in self.pauses):
                continue
            for begin, end, who, what in [b for b in busy if b[0] <= at < b[1]][:5]:
                self.tell(at, "jdk.ExecutionSample", sampledThread=who, stackTrace=stack(self.r.choice(STACKS[what])), state=state())

    def levels(self):
        for second in range(1, SECONDS + 1):
            at, begin = second * 1000 * MS - 3, (second - 1) * 1000 * MS
            share = sum(max(0, min(e, at) - max(b, begin)) for b, e, _, _ in self.busy) / (1000 * MS * CPUS)
            self.tell(at, "jdk.CPULoad", jvmUser=round(share * 256) / 256, jvmSystem=4 / 256, machineTotal=(round(share * 256) + 20) / 256)
            self.tell(at, "jdk.JavaThreadStatistics", activeCount=14, daemonCount=8, accumulatedCount=15, peakCount=14)
            self.tell(at, "jdk.ClassLoadingStatistics", loadedClassCount=6100 + min(second, 12) * 40, unloadedClassCount=0)
            self.tell(at, "jdk.ResidentSetSize", size=(410 + min(second, 30) * 6) * MIB, peak=600 * MIB)
            self.tell(at, "jdk.ExceptionStatistics", throwables=second * 3 + (max(second - 20, 0) * 40))


def chunk(events, number, kinds):
    c = Chunk(start_ns=START_NS + number * CHUNK * 10 ** 9, start=10 ** 12 + number * CHUNK * 10 ** 9, version=(2, 1), flags=1)
    for kind in kinds:           # the same ids in all chunks, as one process gives them
        c.id(kind)
    c.event("jdk.JVMInformation", startTime=c.start, jvmName="OpenJDK 64-Bit Server VM", jvmVersion="21", jvmArguments="-Xmx512m", javaArguments="org.shop.Main",
            jvmStartTime=START_NS // MS - 61000, pid=PID)
    for kind, name, value in (("jdk.ExecutionSample", "period", "20 ms"), ("jdk.JavaMonitorEnter", "threshold", "10 ms"),
                              ("jdk.ObjectAllocationSample", "throttle", "150/s")):
        c.event("jdk.ActiveSetting", startTime=c.start, eventThread=MAIN, id=c.id(kind), name=name, value=value)
    for at, kind, fields in events:
        if "allocationTime" in fields:
            fields = {**fields, "allocationTime": 10 ** 12 + fields["allocationTime"]}
        c.event(kind, startTime=10 ** 12 + at, **fields)
    return c.checkpoint().metadata(c.used).bytes(duration=CHUNK * 10 ** 9)


def main(argv):
    shop = Shop(int(argv[1]) if len(argv) > 1 else 7)
    shop.run()
    out = sys.stdout.buffer
    for number in range(SECONDS // CHUNK):
        low, high = number * CHUNK * 1000 * MS, (number + 1) * CHUNK * 1000 * MS
        out.write(chunk([e for e in shop.events if low <= ended(e) < high], number, sorted({e[1] for e in shop.events})))


if __name__ == "__main__":
    main(sys.argv)
