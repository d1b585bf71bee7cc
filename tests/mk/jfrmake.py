#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jfrmake.py list|CASE|seed=N - recordings of the Java Flight Recorder, to standard output.

list prints the names of the cases, each with what it must be: `ok` (read whole), `damaged` (all that is whole is read, and the
loss reported), `either`, or `refused`; `hostile`: any output, but harmless.  seed=N is a random recording of several chunks.
"""
import gzip
import io
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jfrfile  # noqa: E402
from jfrfile import Chunk, Out, framed, java_class, method, stack, state, thread  # noqa: E402

JAVA = ("Interpreted", "JIT compiled", "Inlined", "Native")
CLASSES = ("org/shop/Web", "org/shop/Order", "org/shop/Order$Line", "java/lang/Thread", "java/util/HashMap", "Plain", "org/shop/Gr\u00f6\u00dfe",
           "org/shop/\u03b1\u03b2", "org/shop/Odd;Name",
           "org/shop/Web$$Lambda$88+0x00007f99d8007a08/1790421142", "org/shop/Web$$Lambda/0x0000000022045a10", "org/shop/Web$$Lambda$4.0x00007fa198001800",
           "org/shop/Web$$Lambda$12/0x00000008000c1040", "jdk/internal/reflect/GeneratedMethodAccessor17", "org/shop/Hidden+0x0000000800c03000/12345",
           "jdk/internal/reflect/GeneratedConstructorAccessor3", "org/shop/Order2024", "$$Lambda$7")
ALLOCATED = ("[B", "[[I", "[Ljava/lang/String;", "java/lang/String", "org/shop/Order", "[[[Lorg/shop/Order$Line;", "org/shop/Web$$Lambda$88+0x00007f99d8007a08/1790421142",
             "[Lorg/shop/Hidden+0x0000000800c03000;")
NAMES = ("run", "get", "<init>", "lambda$main$0", "serve;all", "gr\u00f6\u00dfer", "a b")
NATIVE = (("", "read", "Native"), ("libc.so.6", "write", "Native"), ("", "JavaThread::run()", "C++"), ("", "do_syscall_64_[k]", "Kernel"),
          ("", "sys_read", "Kernel"), ("libjvm.so", "Unsafe_Park", "C++"))
STATES = ("STATE_RUNNABLE", "STATE_SLEEPING", "STATE_DEFAULT", "STATE_IN_OBJECT_WAIT")
SAMPLED = ("jdk.ExecutionSample", "jdk.NativeMethodSample", "profiler.WallClockSample")
ALLOCATIONS = ("jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB", "profiler.LiveObject")
BLOCKED = (("jdk.JavaMonitorEnter", "monitorClass"), ("jdk.JavaMonitorWait", "monitorClass"), ("jdk.ThreadPark", "parkedClass"))
WAITS = ("jdk.ThreadSleep", "jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce", "jdk.VirtualThreadPinned",
         "profiler.Span", "jdk.GarbageCollection", "jdk.GCPhasePause", "jdk.GCPhaseConcurrent", "jdk.GCPhaseParallel", "jdk.YoungGarbageCollection",
         "jdk.ExecuteVMOperation")
LEVELS = ("jdk.CPULoad", "jdk.ThreadCPULoad", "jdk.GCHeapSummary", "jdk.MetaspaceSummary", "jdk.PhysicalMemory", "jdk.ResidentSetSize",
          "jdk.JavaThreadStatistics", "jdk.ClassLoadingStatistics", "jdk.ExceptionStatistics", "jdk.ThreadContextSwitchRate",
          "jdk.ThreadAllocationStatistics", "jdk.NetworkUtilization")


class Story:
    """One chunk of a process: threads, stacks, and events at random times."""

    def __init__(self, r, chunk, pid, native=False):
        self.r, self.c, self.pid, self.native = r, chunk, pid, native
        self.now = chunk.start
        self.at = {}             # of each thread the end of its last interval, so that these do not overlap
        self.totals = {}
        self.threads = [thread(pid, "main", 1)] + [thread(pid + i, "worker-%d" % i) for i in range(1, r.randrange(2, 7))]
        self.threads += [thread(pid + 20, None, 0, os_name="GC Thread#0"), thread(pid + 21, "\u03b1-thread"), thread(pid + 22, "same", 50),
                         thread(pid + 23, "same", 51), thread(0, "virtual 1", 60, os_name="", virtual=True),
                         thread(0, "", 61, os_name="", virtual=True), thread(0, None, 62, os_name=None, virtual=True)]
        self.methods = [(method(r.choice(CLASSES), r.choice(NAMES), r.choice(("()V", "(I)I"))), r.randrange(-1, 900), r.choice(JAVA))
                        for _ in range(30)]
        if native:
            self.methods += [(method(owner, name, ""), 0, kind) for owner, name, kind in NATIVE]
        self.stacks = [stack([r.choice(self.methods) for _ in range(r.choice((1, 2, 3, 5, 9, 40)))], r.randrange(8) == 0) for _ in range(12)]
        self.stacks += [stack([]), stack([], True), None]

    def ticks(self, most):
        return self.r.randrange(most * self.c.frequency // 1000000000 + 1)

    def base(self, name):
        """Common fields, those that this one has."""
        fields = {f.name for f in self.c.types[name]}
        v = {"startTime": self.now - self.ticks(3000000)}
        if self.r.randrange(50) == 0:
            v["startTime"] += self.r.choice((-1, 1)) * self.r.choice((10, 90, 1000, 10 ** 6)) * self.c.frequency
        for key in ("eventThread", "sampledThread", "thread"):
            if key in fields:
                v[key] = self.r.choice(self.threads + [None])
        if "stackTrace" in fields:
            v["stackTrace"] = self.r.choice(self.stacks)
        if "state" in fields:
            v["state"] = state(self.r.choice(STATES))
        return v

    def step(self):
        self.now += self.ticks(2000000)
        name = self.r.choice((self.sample, self.sample, self.allocation, self.blocked, self.wait, self.level, self.other))
        name()

    def sample(self):
        v = self.base(name := self.r.choice(SAMPLED + ("jdk.CPUTimeSample",)))
        if name == "profiler.WallClockSample":
            v["samples"] = self.r.randrange(1, 60)
        elif name == "jdk.CPUTimeSample":
            v["samplingPeriod"] = self.ticks(20000000)
            v["failed"] = v["stackTrace"] is None
        self.c.event(name, **v)

    def allocation(self):
        v = self.base(name := self.r.choice(ALLOCATIONS + ("jdk.OldObjectSample", "profiler.Malloc")))
        size = self.r.randrange(1, 1 << self.r.choice((7, 20, 34)))
        for key in ("weight", "allocationSize", "tlabSize", "objectSize", "size"):
            if any(f.name == key for f in self.c.types[name]):
                v[key] = size + len(key)
        if name in ALLOCATIONS:
            v["objectClass"] = java_class(self.r.choice(ALLOCATED))
        if name in ("jdk.OldObjectSample", "profiler.LiveObject"):
            v["allocationTime"] = v["startTime"] - self.ticks(500000000)
        self.c.event(name, **v)

    def span(self, v):
        """Behind what the same thread did before."""
        who = v.get("eventThread")
        v["startTime"] = max(v["startTime"], self.at.get(who, v["startTime"]))
        v["duration"] = self.ticks(4000000)
        self.at[who] = v["startTime"] + v["duration"]
        return v

    def blocked(self):
        name, key = self.r.choice(BLOCKED)
        v = self.span(self.base(name))
        v[key] = self.r.choice((None, java_class("java/lang/Object"), java_class("java/util/concurrent/locks/ReentrantLock$NonfairSync")))
        self.c.event(name, **v)

    def wait(self):
        v = self.span(self.base(name := self.r.choice(WAITS)))
        fields = {f.name for f in self.c.types[name]}
        for key, values in (("host", ("db", "", None)), ("address", ("10.0.0.7",)), ("path", ("/data/a b", "/data/\u00e4", None)), ("tag", ("login", None)),
                            ("port", (5432, 80)), ("bytesRead", (0, 17, 1 << 33, -1)), ("bytesWritten", (0, 4096))):
            if key in fields:
                v[key] = self.r.choice(values)
        if "name" in fields:
            v["name"] = ("jdk.types.GCName", "G1New") if name == "jdk.GarbageCollection" else self.r.choice(("GC Pause", "Concurrent Mark"))
        if "cause" in fields:
            v["cause"] = self.r.choice((("jdk.types.GCCause", "G1 Evacuation Pause"), None))
        if "sumOfPauses" in fields:
            v["sumOfPauses"], v["longestPause"] = v["duration"] // 2, v["duration"] // 3
        if "operation" in fields:
            v["operation"] = ("jdk.types.VMOperationType", "G1CollectForAllocation")
        if "pinnedReason" in fields:
            v["pinnedReason"] = ("jdk.types.PinnedReason", "Native frame on stack")
        self.c.event(name, **v)

    def grown(self, key, most):
        self.totals[key] = self.totals.get(key, 0) + self.r.randrange(most)
        return self.totals[key]

    def level(self):
        name = self.r.choice(LEVELS)
        v = self.base(name)
        for f in self.c.types[name]:
            if f.type == "float":
                v[f.name] = self.r.randrange(257) / (256 if name.endswith("CPULoad") else 1)
            elif f.name in ("throwables", "allocated"):
                v[f.name] = self.grown((f.name, v.get("thread")), 100000)
            elif f.name == "networkInterface":
                v[f.name] = self.r.choice((("jdk.types.NetworkInterfaceName", "eth0"), ("jdk.types.NetworkInterfaceName", "lo")))
            elif f.type == "long" and f.name not in v:
                v[f.name] = self.r.randrange(1 << 33)
            elif f.type.startswith("jdk.types.") and not f.pool:
                v[f.name] = tuple(self.r.randrange(1 << 32) for _ in self.c.types[f.type])
        self.c.event(name, **v)

    def other(self):
        r = self.r
        name = r.choice(("app.Order", "app.Tick", "app.Tick", "jdk.DataLoss", "jdk.CPUTimeSamplesLost", "jdk.ActiveSetting",
                         "profiler.Log"))
        v = self.base(name)
        if name == "app.Order":
            v = self.span(v)
            v.update(text=r.choice(("plain", "\u00e4\u00f6\u00fc", "\u03b1\u03b2", "smile \U0001f600", "", None, "semi;colon", "x" * 300)),
                     number=r.randrange(-3, 3), amount=r.choice((-1, 1 << 40, -1 << 63, 0)), share=0.5, ratio=-1 / 3, letter=65, small=-2, tiny=-1,
                     paid=True, who=r.choice(self.threads), what=java_class("[[I"), lines=tuple(range(-2, r.randrange(9))), names=("a", None, ""),
                     place=(3, "x"), places=((1, "y"),) * r.randrange(3), states=(state("A"), None))
        elif name == "jdk.DataLoss":
            v["amount"] = v["total"] = r.randrange(1, 5000)
        elif name == "jdk.CPUTimeSamplesLost":
            v["lostSamples"] = r.randrange(1, 9)
        elif name == "jdk.ActiveSetting":
            of = r.choice(("jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.ThreadPark", "jdk.ActiveRecording", "profiler.Free"))
            v.update(id=self.c.id(of), name=r.choice(("period", "threshold", "enabled", "stackTrace", "interval", "event", "file")),
                     value=r.choice(("20 ms", "10 ms", "true", "false", "", None)))
        elif name == "profiler.Log":
            v.update(level=("profiler.types.LogLevel", r.choice(("INFO", "WARN", "ERROR", "NONE"))), message=r.choice(("no perf events", "", "\u00e4")))
        self.c.event(name, extra=bytes(r.randrange(3)), **v)

    def whole(self, events):
        """Metadata and constants before, between and behind the events."""
        c, r = self.c, self.r
        if self.native:
            c.key(jfrfile.frame_type("Kernel"))
        c.event("jdk.JVMInformation", startTime=self.now, jvmName="a virtual machine", pid=self.pid)
        if self.pid % 3 != 0:
            c.event("jdk.CPUInformation", startTime=self.now, cpu="a processor", sockets=1, cores=4, hwThreads=8)
        if self.pid % 3 == 1:
            c.event("jdk.ContainerConfiguration", startTime=self.now, containerType="cgroupv2", effectiveCpuCount=self.pid % 2 * 3)
        for i in range(events):
            self.step()
            if r.randrange(events) < 2:
                c.checkpoint(r.choice((0, 1, 4, 8)))
            if r.randrange(events * 2) == 0:
                c.metadata()
        again = [(k[0], key, k[1] if k[0] == "java.lang.String" else k[1:]) for k, key in c.keys.items() if r.randrange(9) == 0]
        c.checkpoint(0, again)
        c.metadata(c.used)
        return c


def random_file(seed):
    r = random.Random(seed)
    out, pid = b"", r.randrange(100, 60000)
    for i in range(r.choice((1, 1, 2, 3, 5))):
        old = r.randrange(5) == 0
        chunk = Chunk(r, version=(1, 0) if old else r.choice(((2, 0), (2, 1))), start_ns=1700000000000000000 + i * 1000000000 + r.randrange(10 ** 9),
                      start=r.choice((0, 1000, 1 << 40)), frequency=r.choice((10 ** 9, 2200000000, 10 ** 7, 1)), flags=r.choice((0, 1, 3)), old=old,
                      padded=bool(r.randrange(3)))
        if r.randrange(4) == 0:
            pid += 1000
        out += Story(r, chunk, pid, r.randrange(3) == 0 and not old).whole(r.choice((5, 60, 200))).bytes()
    return out


# ---- cases ---------------------------------------------------------------------------

RUN = (method("org/shop/Web", "serve"), 17, "JIT compiled")
GET = (method("java/util/HashMap", "get"), 552, "Inlined")
TOP = (method("java/lang/Thread", "run"), 833, "Interpreted")
DEEP, FLAT = stack([GET, RUN, TOP]), stack([RUN, TOP])
MAIN, WORKER = thread(100, "main", 1), thread(101, "worker")


def few(chunk=None, n=3):
    """A chunk with little in it: samples, an allocation, a wait, a level."""
    c = chunk or Chunk()
    for i in range(n):
        c.event("jdk.ExecutionSample", startTime=c.start + 1000 * i, sampledThread=WORKER if i % 2 else MAIN, stackTrace=DEEP if i % 2 else FLAT, state=state())
    c.event("jdk.ObjectAllocationSample", startTime=c.start + 500, eventThread=MAIN, stackTrace=FLAT, objectClass=java_class("[B"), weight=4096)
    c.event("jdk.JavaMonitorEnter", startTime=c.start + 100, duration=700, eventThread=WORKER, stackTrace=DEEP, monitorClass=java_class("java/lang/Object"))
    c.event("jdk.PhysicalMemory", startTime=c.start + 400, totalSize=9000, usedSize=1234)
    return c


def malloc(seed, frees=True):
    """Memory of malloc, with its frees; and what each of two methods allocated, and kept.

    Addresses are given out again, some before a free that was recorded; two threads write their events one after the other.
    """
    r, c = random.Random(seed), Chunk()
    hooks = [(method(library, "malloc_hook"), 0, "Native") for library in ("libasyncProfiler.so", "")]
    stacks = {name: stack([hooks[name == "keep"], (method("org/shop/Cache", name), 7, "Interpreted")]) for name in ("keep", "churn")}
    allocated, kept, events = dict.fromkeys(stacks, 0), {}, []
    for i in range(200):
        at, address = c.start + 1000 * (i + 1), 0x7f0000000000 + 64 * r.randrange(60)
        if frees and r.random() < .4:
            kept.pop(address, None)
            events.append(("profiler.Free", {"startTime": at, "eventThread": r.choice((MAIN, WORKER)), "address": address}))
            continue
        name, size = r.choice(tuple(stacks)), r.randrange(1, 1 << 20)
        kept[address] = name, size
        allocated[name] += size
        events.append(("profiler.Malloc", {"startTime": at, "eventThread": r.choice((MAIN, WORKER)), "stackTrace": stacks[name],
                                           "address": address, "size": size}))
    for thread_of in (WORKER, MAIN):
        for kind, values in events:
            if values["eventThread"] is thread_of:
                c.event(kind, **values)
    left = dict.fromkeys(stacks, 0)
    for name, size in kept.values():
        left[name] += size
    return closed(c).bytes(), allocated, left


def closed(c):
    return c.checkpoint().metadata(c.used)


def flushed(c):
    """Metadata and constants in front of more of the same events."""
    few(closed(c))
    return c


def whole():
    return closed(few()).bytes()


def streamed():
    """Types and constants in front of the events: of each prefix something can be read."""
    c = few()
    events, c.items = c.items, []
    c.metadata(c.used).checkpoint()
    c.items += events
    for i in range(3):
        c.event("jdk.ExecutionSample", startTime=c.start + 9000 + i, sampledThread=MAIN, stackTrace=stack([GET, TOP]), state=state())
    return c.checkpoint().bytes()


def pools(c, n, data):
    """A checkpoint of n pools."""
    body = Out([0]).num(n)
    body.extend(data)
    c.items.append(body)


LZ4_HEADS = {False: b"\x60\x40\x82", True: b"\x40\x40\xc0"}       # flags, and a byte of their checksum


def lz4(data, block=1 << 16, stored=False, linked=False):
    """An LZ4 frame; linked: blocks refer to those before."""
    out, done = b"\x04\x22\x4d\x18" + LZ4_HEADS[linked], b""
    for i in range(0, len(data), block):
        part = data[i:i + block]
        packed = lz4_block(done if linked else b"", part)
        out += struct.pack("<I", len(part) | 1 << 31) + part if stored else struct.pack("<I", len(packed)) + packed
        done = data[:i + block]
    return out + bytes(4)


def lz4_sequence(out, literals, offset, length):
    """offset 0: the last one, which has no match."""
    a, b = len(literals), length - 4
    out.append(min(a, 15) << 4 | (min(b, 15) if offset else 0))
    for n in range(a - 15, -1, -255):
        out.append(min(n, 255))
    out.extend(literals)
    if offset:
        out.extend(struct.pack("<H", offset))
        for n in range(b - 15, -1, -255):
            out.append(min(n, 255))


def lz4_block(before, part):
    """A match wherever four bytes are those of a place before."""
    data, out, start = before + part, bytearray(), len(before)
    seen, i = {data[k:k + 4]: k for k in range(len(before))}, len(before)
    while i + 12 < len(data):
        at, seen[data[i:i + 4]] = seen.get(data[i:i + 4]), i
        if at is None or i - at > 65535:
            i += 1
            continue
        n = 4
        while i + n + 5 < len(data) and data[i + n] == data[at + n]:
            n += 1
        lz4_sequence(out, data[start:i], i - at, n)
        i += n
        start = i
    lz4_sequence(out, data[start:], 0, 4)
    return bytes(out)


def packed(data):
    f = io.BytesIO()
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(data)
    return f.getvalue()


def changed(data, at, new):
    return data[:at] + new + data[at + len(new):]


def second_class():
    """A class that is registered while the recording runs: a second metadata event."""
    c = few().metadata()
    c.event("app.Tick", startTime=9000, eventThread=MAIN, stackTrace=FLAT, count=3)
    return closed(c).bytes()


def missing(kind):
    """One constant is never written."""
    c = Chunk()
    c.hide({"stack": DEEP, "method": GET[0], "thread": WORKER, "class": java_class("[B"), "symbol": jfrfile.symbol("serve")}[kind])
    return closed(few(c)).bytes()


def twice():
    """The same key again with another value: the first counts."""
    c = few().checkpoint()
    c.checkpoint(0, [("jdk.types.Symbol", c.keys[jfrfile.symbol("serve")], ("other",)), ("java.lang.Thread", c.keys[MAIN], ("renamed", 100, "renamed", 1, None, False))])
    return c.metadata(c.used).bytes()


def states(*numbers):
    """Consecutive chunks of such states; their sizes are those of the last flush."""
    out = b""
    for i, n in enumerate(numbers):
        c = closed(few(Chunk(state=n, start_ns=1700000000000000000 + i * 10 ** 9)))
        size = len(c.bytes())
        out += flushed(c).checkpoint().bytes(size=size if n else None)
    return out


def unknown_event(how="whole"):
    """Events of types that the metadata lacks: stepped over in a whole chunk, else part of the damage."""
    c = closed(few()).raw(framed(77, b"abc")).raw(framed(78, b"")).raw(framed(77, b""))
    return c.raw({"whole": b"", "size": b"\0\0", "types": framed(0, b"\x7f" * 9)}[how]).bytes()


def unknown_pool():
    """A pool of an undeclared type: what follows in its checkpoint is lost, not the next checkpoint."""
    c = few()
    c.checkpoint()
    c.event("jdk.ExecutionSample", startTime=9000, sampledThread=MAIN, stackTrace=stack([RUN, GET]), state=state("OTHER"))
    pools(c, 2, Out().num(2999).num(1).num(5).num(5).num(c.id("jdk.types.Symbol")).num(0))
    return closed(c).bytes()


def unknown_field():
    """The type of a field is undeclared: its events cannot be read, the others can."""
    c = few()
    c.event("app.Order", startTime=9000, eventThread=MAIN, stackTrace=FLAT)
    return c.checkpoint().metadata(c.used, drop=("app.Place",)).bytes()


def circle(kind):
    """A type that holds itself, or constants that lead in a circle."""
    c = few()
    if kind == "type":
        c.types = {**c.types, "app.Place": [jfrfile.Field("place:app.Place")]}
        c.id("app.Order")
        c.raw(framed(c.id("app.Order"), bytes(200)))
        return closed(c).bytes()
    if kind == "doubling":
        places = {"app.Place%d" % i: [jfrfile.Field("%s:app.Place%d" % (x, i + 1)) for x in "ab"] for i in range(27)}
        c.types = {**c.types, **places, "app.Place27": [jfrfile.Field("n:int")], "app.Place": [jfrfile.Field("a:app.Place0")]}
        c.id("app.Order")
        c.raw(framed(c.id("app.Order"), bytes(200)))
        return closed(c).bytes()
    if kind == "string":
        c.id("java.lang.String")
        pools(c, 1, Out().num(c.id("java.lang.String")).num(1).num(7) + b"\x02\x07")
        order = framed(c.id("profiler.Span"), Out().num(1).num(500).num(c.key(MAIN)) + b"\x02\x07")
        return closed(c.raw(order)).bytes()
    group = ("jdk.types.ThreadGroup", 1234567, "circle")
    c.keys[group] = 1234567
    c.pending.append(group)
    return closed(c).bytes()


def counts(field):
    """A count that is far too large for what is left."""
    huge = bytes(Out().num(0xfffffff0))
    c = few()
    if field == "frames":
        c.keys[stack([TOP])] = 99
        pools(c, 1, Out().num(c.id("jdk.types.StackTrace")).num(1).num(99) + b"\x00" + huge)
        c.event("jdk.ExecutionSample", startTime=2000, sampledThread=MAIN, stackTrace=99, state=state())
    elif field == "pools":
        pools(c, 0xfffffff0, b"")
    elif field == "constants":
        pools(c, 1, Out().num(c.id("jdk.types.Symbol")) + huge)
    elif field == "string":
        c.raw(framed(c.id("profiler.Span"), Out().num(1).num(500).num(0) + b"\x03" + huge))
    elif field == "array":
        body = c.body("app.Order", {"startTime": 1})
        c.raw(framed(c.id("app.Order"), body[:-4] + huge))
    return closed(c).bytes()


def metadata(how):
    """Events of a chunk whose types are damaged."""
    c = few()
    good = closed(c).items[-1]
    huge = bytes(Out().num(0xfffffff0))
    head = bytes(Out().num(1).num(0).num(1))
    c.items[-1] = {"none": framed(5000, b""), "cut": framed(0, good[5:len(good) // 2]), "strings": framed(0, head + huge),
                   "empty": framed(0, b""), "elements": framed(0, head + b"\x01\x03\x04root" + b"\x00\x00" + huge),
                   "deep": framed(0, head + b"\x01\x03\x04root" + b"\x00\x00\x01" * 5000 + b"\x00\x00\x00"),
                   "index": framed(0, head + b"\x01\x03\x04root" + b"\x63\x00\x00"),
                   "kinds": framed(0, head + b"\x01\x09\x04root")}[how]
    return c.bytes()


def sizes(how):
    """The size of an event behind the types and constants is wrong."""
    data, at = streamed(), 68
    for _ in range(4):
        at += data[at] & 127 | (data[at + 1] & 127) << 7
    return changed(data, at, {"zero": bytes(4), "small": bytes(Out().num(3, 4)), "large": bytes(Out().num(200000, 4)),
                              "huge": b"\xff\xff\xff\xff"}[how])


def gap(n, tail=b""):
    return whole() + bytes(n) + whole() + tail


def two_machines():
    """Two processes, one of them seen by a profiler whose frames are native too; the recorder says what it lost."""
    r = random.Random(5)
    return Story(r, Chunk(r), 100).whole(80).bytes() + Story(r, Chunk(r, start_ns=1700000005000000000, frequency=2200000000), 900, True).whole(80).bytes()


def first_key():
    """The first cause of a collection has key 0, and it is one: only of threads, stacks and classes 0 is none."""
    c, cause = Chunk(), ("jdk.types.GCCause", "System.gc()")
    c.keys[cause] = 0
    c.pending.append(cause)
    c.event("jdk.GarbageCollection", startTime=c.start + 500, duration=70, gcId=1, name=("jdk.types.GCName", "G1Full"), cause=cause)
    return closed(few(c)).bytes()


def order_of_times():
    """Blocks of threads, not in order of time; one begins before the chunk."""
    c = Chunk(start=1 << 33)
    for i in (7, 3, 9, 1):
        c.event("jdk.ExecutionSample", startTime=c.start + i * 1000, sampledThread=MAIN, stackTrace=FLAT, state=state())
        c.event("jdk.CPULoad", startTime=c.start + i * 10 ** 6, jvmUser=i / 16, jvmSystem=0.125, machineTotal=1.0)
    c.event("jdk.ThreadPark", startTime=c.start - 5000, duration=6000, eventThread=MAIN, stackTrace=FLAT, parkedClass=java_class("a/Lock"))
    c.event("jdk.ThreadPark", startTime=c.start + 2000, duration=-6000, eventThread=MAIN, stackTrace=FLAT)
    c.event("jdk.ObjectAllocationSample", startTime=c.start, eventThread=MAIN, stackTrace=FLAT, weight=-4)
    return closed(c).bytes()


def far_times(all_of_them=False):
    """Times that no event of the chunk can have: one of each kind, or, where its clock is another one, all."""
    c = Chunk(start=1 << 50)
    day = 86400 * c.frequency
    for at in (-day,) * 5 if all_of_them else (0, 1000, 1000, 1000, 1000, -(1 << 50), -day, day, 1 << 62, -(1 << 63)):
        c.event("jdk.ExecutionSample", startTime=max(c.start + at, -(1 << 63)), sampledThread=MAIN, stackTrace=FLAT, state=state())
    if not all_of_them:
        c.event("jdk.ThreadPark", startTime=c.start - day, duration=day + 5000, eventThread=MAIN, stackTrace=FLAT)
        c.event("jdk.ThreadPark", startTime=c.start - day, duration=5000, eventThread=MAIN, stackTrace=FLAT)
        c.event("jdk.ThreadSleep", startTime=c.start, duration=day, eventThread=MAIN, stackTrace=FLAT)
        c.event("jdk.PhysicalMemory", startTime=c.start + day, totalSize=9000, usedSize=1234)
        c.event("jdk.OldObjectSample", startTime=c.start, eventThread=MAIN, stackTrace=FLAT, allocationTime=c.start - day, objectSize=16)
        c.event("jdk.OldObjectSample", startTime=c.start, eventThread=MAIN, stackTrace=FLAT, allocationTime=c.start + day, objectSize=16)
    return closed(c).bytes()


def frame_keys():
    """Frames that are constants themselves, one of which is not there."""
    c = Chunk()
    c.types = {**c.types, "jdk.types.StackTrace": [jfrfile.Field("truncated:boolean"), jfrfile.Field("frames:jdk.types.StackFrame*[]")]}
    frames = [("jdk.types.StackFrame", m, line, 0, jfrfile.frame_type(kind)) for m, line, kind in (GET, RUN, TOP)]
    lost = ("jdk.types.StackFrame", GET[0], 1, 0, jfrfile.frame_type("Native"))
    c.hide(lost)
    for i, some in enumerate((frames, frames[1:], [frames[0], lost, frames[2], None], [])):
        c.event("jdk.ExecutionSample", startTime=c.start + i, sampledThread=MAIN, stackTrace=("jdk.types.StackTrace", i == 1, tuple(some)), state=state())
    return closed(c).bytes()


def second_types(how):
    """A damaged list of types behind a good one, which stays."""
    c = closed(few())
    other = Chunk()
    other.event("jdk.ExecutionSample")
    other.types = {**other.types, "jdk.types.StackTrace": [jfrfile.Field("truncated:boolean")]}
    other.ids = {**c.ids}
    item = other.metadata(["jdk.types.StackTrace", "jdk.types.Symbol", "java.lang.Thread"]).items[-1]
    body = item[5:]
    c.raw(framed(0, body[:-60] if how == "cut" else body[:-9] + b"\x7f" * 9))
    return c.bytes()


def nothing_sampled():
    """Pauses and levels alone."""
    c = Chunk()
    c.event("jdk.GCPhasePause", startTime=c.start, duration=500, eventThread=thread(120, "GC Thread"), gcId=1, name="GC Pause")
    c.event("jdk.PhysicalMemory", startTime=c.start + 400, totalSize=9000, usedSize=1234)
    return closed(c).bytes()


def nothing_lasts():
    c = Chunk()
    c.event("jdk.ExecutionSample", startTime=c.start, sampledThread=MAIN, stackTrace=FLAT, state=state())
    return closed(c).bytes()


def hidden_arrays():
    """Arrays of classes whose names have addresses."""
    c = Chunk()
    for i, name in enumerate(ALLOCATED + ("[[Lorg/shop/Web$$Lambda$88+0x00007f99d8007a08/1790421142;", "[Lorg/shop/Web$$Lambda/0x0000000022045a10;")):
        c.event("jdk.ObjectAllocationSample", startTime=c.start + i, eventThread=MAIN, stackTrace=FLAT, objectClass=java_class(name), weight=16)
    return closed(c).bytes()


def pauses():
    """Events of two processes, on threads of the collector, while others wait."""
    out = b""
    for i in range(2):
        c = Chunk(start_ns=1700000000000000000 + i * 5 * 10 ** 9)
        collector, *waiting = [thread(1000 * (i + 1) + k, name) for k, name in enumerate(("GC Thread#0", "web", "web", "db"))]
        c.event("jdk.JVMInformation", startTime=c.start, jvmName="a virtual machine", pid=1000 * (i + 1))
        for k, who in enumerate(waiting):
            c.event("jdk.ThreadPark", startTime=c.start + k * 1000, duration=2500, eventThread=who, stackTrace=FLAT)
            c.event("jdk.ThreadSleep", startTime=c.start + 5000 + k * 700, duration=600, eventThread=who, stackTrace=FLAT)
        for at, length in ((900, 500), (3000, 2400), (6000, 10), (9000, 5)):
            c.event("jdk.GCPhasePause", startTime=c.start + at, duration=length, eventThread=None if at == 6000 else collector, gcId=1, name="GC Pause")
        out += closed(c).bytes()
    return out


def settings():
    """Settings of several chunks; a long name, one without a shown event, the profiler's own, and what it warns of."""
    c = few()
    c.event("jdk.ObjectAllocationOutsideTLAB", startTime=c.start, eventThread=MAIN, stackTrace=FLAT, allocationSize=9)
    for event, name, value in (("jdk.ExecutionSample", "period", "20 ms"), ("jdk.ExecutionSample", "period", "10 ms"), ("jdk.ExecutionSample", "period", "20 ms"),
                               ("jdk.JavaMonitorEnter", "threshold", "20 ms"), ("jdk.JavaMonitorEnter", "enabled", "true"), ("jdk.ThreadPark", "threshold", "1 s"),
                               ("jdk.ExecutionSample", "stackTrace", "true"), ("jdk.ActiveRecording", "event", "cpu"), ("jdk.ActiveRecording", "file", "/a/b")):
        c.event("jdk.ActiveSetting", startTime=c.start, id=c.id(event), name=name, value=value)
    for i, level in enumerate(("INFO", "WARN", "ERROR")):
        c.event("profiler.Log", startTime=c.start + i, level=("profiler.types.LogLevel", level), message="message %d" % i)
    c.event("jdk.ActiveSetting", startTime=c.start, id=999999, name="period", value="1 ms")
    return closed(c).bytes()


def periods():
    """The second chunk has twice as many samples, and the third one does not say it."""
    out = b""
    for n, period in enumerate(("20 ms", "10 ms", None)):
        c = few(later(n))
        if period:
            c.event("jdk.ActiveSetting", startTime=c.start, id=c.id("jdk.ExecutionSample"), name="period", value=period)
        out += closed(c).bytes()
    return out


def async_profiler(states, setting=None, chunk=None, pid=0, **wall):
    """As async-profiler writes it: samples in these states, the event of its settings, samples of several ticks of the clock."""
    c = chunk or Chunk()
    c.key(jfrfile.frame_type("Kernel"))
    if pid:
        c.event("jdk.JVMInformation", startTime=c.start, jvmName="a virtual machine", pid=pid)
        c.event("jdk.CPUInformation", startTime=c.start, cpu="a processor", sockets=1, cores=4, hwThreads=4)
    if setting is not None:
        for name, value in (("interval", "10000000"), ("event", setting)):
            c.event("jdk.ActiveSetting", startTime=c.start, id=c.id("jdk.ActiveRecording"), name=name, value=value)
    for i, name in enumerate(states):
        c.event("jdk.ExecutionSample", startTime=c.start + i, sampledThread=(MAIN, WORKER)[i % 2], stackTrace=(FLAT, DEEP)[i % 3 == 0], state=state(name))
    for name, samples in wall.items():
        c.event("profiler.WallClockSample", startTime=c.start + samples, sampledThread=WORKER, stackTrace=DEEP, state=state("STATE_" + name), samples=samples)
    return closed(c).bytes()


def later(n, hidden=()):
    """The nth chunk of a recording, whose recorder wrote some constants before, with the same keys."""
    c = Chunk(start_ns=1700000000000000000 + n * 10 ** 9)
    if hidden:
        c.hide(*hidden)
        for i, constant in enumerate(hidden):
            c.keys[constant] = 900 + i
            c.taken.add(900 + i)
    return c


def said_once():
    """Only the first chunk has the settings, the process and the processors; a second process follows, which says something else."""
    out = async_profiler(["STATE_RUNNABLE"] * 3, "itimer", pid=700)
    for i in (1, 2):
        c = later(i)
        c.event("jdk.ThreadCPULoad", startTime=c.start, eventThread=MAIN, user=0.25, system=0.0)
        out += async_profiler(["STATE_RUNNABLE"] * 4, chunk=c)
    return out + async_profiler(["STATE_RUNNABLE"] * 2, "wall", later(3), 800) + async_profiler(["STATE_RUNNABLE"], None, later(4)) \
        + async_profiler(["STATE_RUNNABLE"] * 5, None, later(5), 900)


def constants_once(states, setting):
    """Only the first chunk has the states of threads and the kinds of frames."""
    once = tuple(map(state, ("STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING"))) + tuple(
        map(jfrfile.frame_type, ("Kernel", "Native", "Interpreted", "JIT compiled", "Inlined")))
    first = later(0)
    for i, constant in enumerate(once):
        first.keys[constant] = 900 + i
        first.taken.add(900 + i)
        first.pending.append(constant)
    return async_profiler(states, setting, first, 700) + async_profiler(states * 2, None, later(1, once)) + async_profiler(states, None, later(2, once))


def thread_dumps():
    """Two thread dumps as text, in events."""
    c = few()
    for i in range(2):
        c.event("jdk.ThreadDump", startTime=c.start + i * 1000, result="2026-03-02 04:11:0%d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):\n\n"
                "\"worker\" #7 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000000040 nid=0x2 runnable  [0x00007f10]\n"
                "   java.lang.Thread.State: RUNNABLE\n\tat app.Work.run(Work.java:10)\n\n" % i)
    return closed(c).bytes()


def no_frames():
    """Stacks without frames, of events that have no other ones."""
    c = few()
    for i in range(2):
        c.event("jdk.ThreadSleep", startTime=c.start + i * 1000, duration=500, eventThread=WORKER, stackTrace=stack([]))
    c.event("jdk.FileForce", startTime=c.start, duration=500, eventThread=WORKER, stackTrace=None)
    return closed(c).bytes()


def virtual():
    """Many virtual threads, few of them with names."""
    c = Chunk()
    for i in range(60):
        who = thread(0, "named %d" % i if i % 20 == 0 else "", 1000 + i, os_name="", virtual=True)
        c.event("jdk.VirtualThreadPinned", startTime=1000 + i * 100, duration=1500 + i, eventThread=who, stackTrace=FLAT,
                pinnedReason=("jdk.types.PinnedReason", "Native frame on stack"))
        c.event("jdk.CPUTimeSample", startTime=1000 + i * 100, eventThread=who, stackTrace=FLAT, samplingPeriod=10 ** 7)
    return closed(c).bytes()


def old_version(major, minor):
    return changed(whole(), 4, struct.pack(">HH", major, minor))


CASES = {
    "small": ("ok", whole),
    "plain": ("ok", lambda: closed(few(Chunk(padded=False))).bytes()),
    "streamed": ("ok", streamed),
    "random": ("ok", lambda: closed(few(Chunk(random.Random(1)))).bytes()),
    "1.0": ("ok", lambda: closed(few(Chunk(version=(1, 0), old=True))).bytes()),
    "2.0": ("ok", lambda: closed(few(Chunk(version=(2, 0)))).bytes()),
    "flag off": ("ok", lambda: closed(few(Chunk(flags=0))).bytes()),
    "last chunk": ("ok", lambda: closed(few(Chunk(flags=3))).bytes()),
    "profiler 2.9 cpu": ("ok", lambda: async_profiler(["STATE_RUNNABLE"] * 5, "itimer")),
    "profiler 2.9 wall": ("ok", lambda: async_profiler(["STATE_RUNNABLE", "STATE_SLEEPING", "STATE_SLEEPING"], "wall")),
    "profiler 2.9 misses": ("ok", lambda: async_profiler(["STATE_RUNNABLE"] * 4, "cache-misses")),
    "profiler 2.9 untold": ("ok", lambda: async_profiler(["STATE_RUNNABLE"] * 2)),
    "profiler 3.0": ("ok", lambda: async_profiler(["STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING", "STATE_SLEEPING"] * 3, "cpu")),
    "profiler 4.0": ("ok", lambda: async_profiler(["STATE_DEFAULT"] * 7, "ctimer", RUNNABLE=3, SLEEPING=400)),
    "profiler 4.0 wall": ("ok", lambda: async_profiler([], "wall", RUNNABLE=3, SLEEPING=400)),
    "profiler in the machine": ("ok", lambda: async_profiler(["STATE_NEW", "STATE_NEW", "STATE_RUNNABLE", "STATE_SLEEPING"], "cpu")),
    "profiler 2.9 and 3.0": ("ok", lambda: async_profiler(["STATE_RUNNABLE"] * 2, "wall") + async_profiler(["STATE_DEFAULT"] * 3, "cpu")),
    "profiler says it once": ("ok", said_once),
    "profiler 2.9 alone": ("ok", lambda: async_profiler(["STATE_RUNNABLE", "STATE_SLEEPING", "STATE_RUNNABLE"]) + async_profiler(["STATE_RUNNABLE"])),
    "constants once": ("ok", lambda: constants_once(["STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING"], "cpu")),
    "thread dumps": ("ok", thread_dumps),
    "no frames": ("ok", no_frames),
    "two chunks": ("ok", lambda: whole() + closed(few(Chunk(start_ns=1700000009000000000, frequency=10 ** 7))).bytes()),
    "gzip": ("ok", lambda: packed(whole())),
    "gzip twice": ("ok", lambda: packed(packed(whole()))),
    "gzip members": ("ok", lambda: packed(whole()[:100]) + packed(whole()[100:])),
    "lz4": ("ok", lambda: lz4(whole() * 9)),
    "lz4 stored": ("ok", lambda: lz4(whole(), stored=True)),
    "lz4 blocks": ("ok", lambda: lz4(whole(), 300)),
    "lz4 linked": ("ok", lambda: lz4(whole(), 300, linked=True)),
    "lz4 frames": ("ok", lambda: lz4(whole()[:500]) + struct.pack("<II", 0x184D2A53, 3) + b"abc" + lz4(whole()[500:])),
    "lz4 gzip": ("ok", lambda: packed(lz4(whole()))),
    "second class": ("ok", second_class),
    "twice": ("ok", twice),
    "two machines": ("ok", two_machines),
    "far times": ("ok", far_times),
    "far chunk": ("ok", lambda: far_times(True)),
    "frame keys": ("ok", frame_keys),
    "second types cut": ("damaged", lambda: second_types("cut")),
    "second types damaged": ("damaged", lambda: second_types("index")),
    "nothing sampled": ("ok", nothing_sampled),
    "nothing lasts": ("ok", nothing_lasts),
    "hidden arrays": ("ok", hidden_arrays),
    "pauses": ("ok", pauses),
    "settings": ("ok", settings), "periods": ("ok", periods),
    "first key": ("ok", first_key),
    "order": ("ok", order_of_times),
    "virtual": ("ok", virtual),
    "offsets": ("ok", lambda: closed(few()).bytes(checkpoint_at=5, metadata_at=1 << 60)),
    "no class": ("ok", lambda: missing("class")),
    "unfinished": ("ok", lambda: states(1)),
    "updating": ("ok", lambda: states(255)),
    "unfinished, then more": ("ok", lambda: states(3, 0)),
    "finished, then not": ("ok", lambda: states(0, 9)),
    "no frequency": ("ok", lambda: closed(few(Chunk(frequency=0))).bytes()),
    "no constants": ("damaged", lambda: few().metadata().bytes()),
    "no stack": ("damaged", lambda: missing("stack")),
    "no method": ("ok", lambda: missing("method")),
    "no thread": ("ok", lambda: missing("thread")),
    "no symbol": ("ok", lambda: missing("symbol")),
    "cut": ("damaged", lambda: streamed()[:-60]),
    "second cut": ("damaged", lambda: whole() + streamed()[:-30]),
    "header cut": ("damaged", lambda: whole() + whole()[:40]),
    "gzip cut": ("damaged", lambda: packed(states(0, 0))[:-20]),
    "lz4 cut": ("damaged", lambda: lz4(states(0, 0), 500)[:-100]),
    "size zero": ("damaged", lambda: sizes("zero") + whole()),
    "size small": ("damaged", lambda: sizes("small") + whole()),
    "size large": ("damaged", lambda: sizes("large") + whole()),
    "size huge": ("damaged", lambda: sizes("huge") + whole()),
    "chunk too large": ("either", lambda: closed(few()).bytes(size=1 << 50)),
    "chunk of size 0": ("either", lambda: closed(few()).bytes(size=0)),
    "chunk too small": ("damaged", lambda: changed(streamed(), 8, struct.pack(">q", len(streamed()) - 40)) + whole()),
    "gap": ("damaged", lambda: gap(100)),
    "gap with magic": ("damaged", lambda: whole() + b"FLR\0\0\2\0\1" + bytes(90) + whole()),
    "tail": ("damaged", lambda: gap(0, b"the end")),
    "unknown event": ("ok", unknown_event),
    "unknown event, then size 0": ("damaged", lambda: unknown_event("size")),
    "unknown event, types damaged": ("damaged", lambda: unknown_event("types")),
    "unknown pool": ("damaged", unknown_pool),
    "unknown field": ("damaged", unknown_field),
    "no types in one": ("damaged", lambda: metadata("none") + whole()),
    "version 0.9": ("refused", lambda: old_version(0, 9)),
    "version 0.9 packed": ("refused", lambda: packed(old_version(0, 9))),
    "version 3.0": ("refused", lambda: old_version(3, 0)),
    "header only": ("refused", lambda: Chunk(state=1).bytes()),
    "half a header": ("refused", lambda: whole()[:50]),
    "no types": ("refused", lambda: metadata("none")),
    **{"types: " + how: ("hostile", lambda how=how: metadata(how)) for how in ("cut", "strings", "empty", "elements", "deep", "index", "kinds")},
    **{"circle: " + kind: ("hostile", lambda kind=kind: circle(kind)) for kind in ("type", "doubling", "string", "group")},
    **{"count: " + field: ("hostile", lambda field=field: counts(field)) for field in ("frames", "pools", "constants", "string", "array")},
    "lz4 bomb": ("hostile", lambda: lz4(whole())[:-4] + struct.pack("<I", 5000) + b"\x1fA\x01\x00" + b"\xff" * 4990 + bytes(6)),
    "lz4 far": ("hostile", lambda: lz4(whole())[:-4] + struct.pack("<I", 6) + b"\x10A\xff\xff\x00\x00" + bytes(4)),
}


def make(what):
    if what.startswith("seed="):
        return random_file(int(what[5:]))
    return CASES[what][1]()


def main(argv):
    if len(argv) != 2 or argv[1] != "list" and argv[1] not in CASES and not argv[1].startswith("seed="):
        sys.exit(__doc__)
    if argv[1] == "list":
        for name, (kind, _) in CASES.items():
            print(kind, name, sep="\t")
        return
    sys.stdout.buffer.write(make(argv[1]))


if __name__ == "__main__":
    main(sys.argv)
