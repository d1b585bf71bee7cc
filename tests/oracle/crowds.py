# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""crowds.py - threads, pools and virtual threads that are many, once more, slowly, over heapnames.py; used by owners.py."""
import collections
import fnmatch
import re

from heapnames import raw, shown

MANY, POOLS, POOL_THREADS, CROWD, STACK = 50, 20, 200, 1000, 64 << 10
VIRTUAL_TOLD, VIRTUAL_MANY, VIRTUAL_FEW, VIRTUAL_LARGE, VIRTUAL_BYTES, VIRTUAL_SHARE = 500, 5000, 100, 8 << 10, 4 << 20, 10
WORKERS = ("*ThreadPool*", "*Executor*", "*ForkJoin*", "*VirtualThread*", "*CoroutineScheduler*")
POOL_NAMES = ("*ThreadPool*", "*Executor", "*ExecutorImpl", "*ExecutorService", "*ForkJoinPool", "*WorkerPool", "*EventLoop", "*EventLoopGroup",
              "CoroutineScheduler")
INNER = (b"runnable", b"task", b"delegate", b"command", b"r", b"wrappedRunnable", b"val$runnable", b"val$task", b"val$command", b"val$r")
PLATFORM = ("java.", "javax.", "sun.", "jdk.", "com.sun.", "com.oracle.svm.", "com.oracle.graal.", "com.ibm.oti.", "com.ibm.jvm.", "openj9.",
            "libcore.", "dalvik.", "android.", "com.android.")
WAITS = re.compile(rb"^(TIMED_)?(PARK|PINNED|WAIT)")
SHARED = ("boundedElastic-*", "RxCachedThreadScheduler-*", "RxComputationThreadPool-*")
STATES = {1: "run", 2: "run", 9: "run", 10: "run", 11: "run", 14: "run", 12: "are blocked", 13: "are blocked"}


def fits(name, globs):
    return any(fnmatch.fnmatchcase(name, g) for g in globs)


def numberless(name):
    """The name of a group of threads, without their numbers."""
    name = re.sub(r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "*", name)
    name = re.sub(r"(?<![0-9A-Za-z])(0x[0-9a-fA-F]+|(?=[0-9a-fA-F]*[0-9][a-fA-F])[0-9a-fA-F]{6,})(?![0-9A-Za-z])", "*", name)
    return re.sub(r"[0-9]+", "*", name)


class Crowds:
    def __init__(self, h, names):
        self.h, self.names = h, names
        self.stacks = h.stacks()
        self.serial = {a: s for s, (a, _) in h.r.threads.items() if a}

    # ---- what threads are ---------------------------------------------------------------------

    def field(self, a, *path):
        for name in path:
            v = self.h.value(a, name) if a in self.h.r.objects and self.h.r.objects[a].kind == "i" else None
            a = v[1] if v and v[0] == 2 else 0
        return a if a in self.h.r.objects else 0

    def chain(self, a):
        return [self.h.name(c) for c in self.h.chain(self.names.class_of(a))] if a and self.h.r.objects[a].kind == "i" else []

    def is_virtual(self, a):
        return "java.lang.VirtualThread" in self.chain(a)

    def is_pool(self, a):
        return any(fits(re.split(r"[./$]", n)[-1], POOL_NAMES) for n in self.chain(a))

    def task(self, a):
        own = self.field(a, b"cont", b"target", b"val$task") or self.field(a, b"cont", b"target")
        return self.field(a, b"holder", b"task") or self.field(a, b"target") or own

    def pool(self, a):
        pool, runs = next((p for p in (self.field(a, b"pool"), self.field(a, b"this$0")) if self.is_pool(p)), 0), self.task(a)
        for _ in range(4):
            if pool or not runs:
                break
            outer, captured = self.field(runs, b"this$0"), self.field(runs, b"arg$1")
            own = self.h.class_of(runs).partition("$$Lambda")
            pool = runs if self.is_pool(runs) else outer if self.is_pool(outer) else \
                captured if own[1] and self.is_pool(captured) and own[0] in self.chain(captured) else 0
            runs = next((x for x in (self.field(runs, n) for n in INNER) if x), 0)
        for _ in range(3):
            for up in (b"parent", b"group"):
                group = self.field(pool, up)
                pool = group if self.is_pool(group) else pool
        return pool

    def frames(self, a):
        """(class, method) of those outside the JDK, the innermost first."""
        out = []
        for f in self.stacks.get(self.serial.get(a), ()):
            got = self.h.r.frames.get(f)
            c = self.h.r.serial.get(got[3]) if got else None
            if c and not self.h.name(c).startswith(PLATFORM):
                out.append((shown(self.names.kind(c).text), shown(self.h.r.names.get(got[0], b""))))
        return out

    def shown_class(self, a):
        return shown(self.names.kind(self.names.class_of(a)).text)

    def own_task(self, a):
        """Out of the futures and adapters of the JDK."""
        task = self.task(a)
        for _ in range(4):
            inner = next((x for x in (self.field(task, n) for n in (b"callable", b"task", b"runnable", b"fn")) if x), 0) if task else 0
            if not inner or not self.h.class_of(task).startswith(PLATFORM):
                break
            task = inner
        return task

    def place(self, a):
        frames = self.frames(a)
        if not frames:
            return self.shown_class(self.own_task(a) or a)
        c, method = frames[0]
        return c + "." + (re.sub(r"\$[^$]*\Z", "", method) if method.startswith("lambda$") else method)

    def does(self, a):
        """By the constants of the JDK whose dump it is, where it has them."""
        v = self.h.value(a, b"state")
        if not v:
            return "run"
        own = {}
        for c in self.h.chain(self.names.class_of(a)):
            if self.h.name(c) == "java.lang.VirtualThread" and c in self.h.r.classes:
                own = {int.from_bytes(b, "big"): self.h.r.names.get(n, b"") for n, t, b in self.h.r.classes[c].statics if t == 10}
        if b"PARKED" in own.values():
            name = own.get(v[1] & ~0x100, b"")
            return "are blocked" if name.startswith(b"BLOCK") else "are parked" if WAITS.search(name) else "run"
        return STATES.get(v[1] & ~0x100, "are parked")

    def started(self, a):
        v = self.h.value(a, b"state")
        return v is None or v[1] & ~0x100 not in (0, 99)

    def retained(self, a):
        return self.names.retained[a]

    def of_thread(self, a):
        """Return whether a thread retains the object, whose bytes are then counted with the thread."""
        for _ in range(1000):
            if not a or a not in self.names.parent:
                return False
            if "java.lang.Thread" in self.chain(a):
                return True
            a = self.names.parent[a]
        return False

    # ---- kinds ------------------------------------------------------------------------------------

    def works(self, a):
        """According to its stack."""
        frames = [self.h.r.frames.get(f) for f in self.stacks.get(self.serial[a], ())]
        classes = [self.h.r.serial.get(f[3]) for f in frames if f]
        return not frames or any(fits(self.h.name(c), WORKERS) for c in classes if c)

    def things(self):
        """{thread or pool: its threads}"""
        out = collections.OrderedDict()
        for a in (a for a, _ in self.h.r.threads.values()):
            if a in self.names.parent and not self.is_virtual(a):
                pool = self.pool(a)
                if pool or not self.works(a):
                    out.setdefault((pool or a, bool(pool)), []).append(a)
        return out

    def keys(self, thing, is_pool, threads):
        cls = self.names.class_of(thing)
        size = self.h.value(thing, b"corePoolSize") if is_pool else None
        name = numberless(shown(self.h.thread_name(self.serial[threads[0]])))
        factory = self.field(thing, b"threadFactory") or self.field(thing, b"factory")
        if is_pool:
            own = "" if self.h.class_of(thing).startswith(PLATFORM) else "*"
            place = self.shown_class(factory) if factory and not self.h.class_of(factory).startswith(PLATFORM) else own
            if fits(name, SHARED):
                return None, None
        else:
            frames, task = self.frames(thing), self.task(thing)
            place = frames and (tuple(frames), self.shown_class(task) if task else "")
        return (is_pool, cls, "name", name, size) if name else None, (is_pool, cls, "place", place, size) if place else None

    def kinds(self):
        """(key, [(thing, its threads)]) of what is many."""
        things, groups = self.things(), collections.defaultdict(list)
        keys = {t: self.keys(*t, threads) for t, threads in things.items()}
        many = collections.Counter(k for both in keys.values() for k in both if k)
        for t, threads in things.items():
            name, place = keys[t]
            best = place if place and (not name or many[place] > many[name]) else name
            if best:
                groups[best].append((t[0], threads))
        for key, members in groups.items():
            n, threads = len(members), sum(len(x) for _, x in members)
            if n >= MANY or (key[0] and ((n >= POOLS and threads >= POOL_THREADS) or threads // n >= CROWD)):
                yield key, members

    def weigh(self, thing, threads, is_pool):
        own = self.retained(thing) if is_pool and thing in self.names.parent and not self.of_thread(thing) else 0
        return own + sum(self.retained(a) for a in threads)

    # ---- virtual threads ----------------------------------------------------------------------------

    def virtual(self):
        out = collections.defaultdict(list)
        for a in self.names.parent:
            if a in self.h.r.objects and self.is_virtual(a) and self.started(a):
                out[self.place(a), bool(self.frames(a)), self.does(a)].append(a)
        return out
