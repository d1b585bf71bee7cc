#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""perfettostory.py - the Perfetto trace of the demo: three seconds of a phone on which an app starts slowly, then stutters.

A tap on the launcher starts Recipes cold.  Its main thread needs the settings, but the thread DiskCache holds their lock and reads
its files under it, so the disk makes both wait.  The uploaders of another app are busy, but not to blame.  Later the list
scrolls; frames come late where the main thread decodes an image itself, and once because surfaceflinger was late.
The machine is that of schedstory.py, which decides who runs; here its events become packets.  Always the same bytes.
"""
import sys

from perfettomake import B, D, F64, I, bundle, clocks, fe, mark, pkt, ptree, service, switch, sync, uuid_pkt, waking
from schedstory import Machine, Task, sleeper

BOOT = 812_000_000_000          # ns of the trace clock at which the recording begins
REAL = 1_772_440_000_000_000_000    # and time of day minus trace clock
END = 3_000_000                 # us
FLUSH = 250_000                 # us that one bundle of a CPU covers
APP, SERVER, FLINGER, HOME, PHOTOS, ZYGOTE = 5210, 1620, 612, 3120, 4410, 701
PACKAGE = "com.example.recipes"
STATES = {"S": 1, "D": 2, "R": 0, "R+": 256, "X": 16}
SYMBOLS = {"folio_wait_bit_common": 1, "rwsem_down_read_slowpath": 2}
EVENTS, TREE, STATS, LOGS, FRAMES, TRACKS = 2, 3, 4, 6, 7, 8   # writers: sequences of packets
NEW_THREAD, NEW_PROCESS = 0x10f00, 0x1200011
VSYNC = 16_667                  # us


def at_ns(us):
    return BOOT + us * 1000


class Phone(Machine):
    """Its events are packets: (us, packet), of ftrace per CPU, of other writers at once."""

    def __init__(self, seed):
        super().__init__(seed)
        self.ftrace = [[] for _ in self.running]
        self.packets, self.calls, self.frame = [], 0, 0
        self.reasons = {}       # task: (function, whether it waits for the disk)

    def event(self, cpu, make, *args):
        """An event of the kernel, as the task that runs on this CPU."""
        task = self.running[cpu]
        self.ftrace[cpu].append((self.now, make(at_ns(self.now), task.tid if task else 0, *args)))

    def packet(self, writer, *fields, us=None):
        us = self.now if us is None else us
        self.packets.append((us, pkt(I(8, at_ns(us)), I(10, writer), *fields)))

    def write_wake(self, cpu, task, target, flags):
        self.event(cpu, waking, task.tid, task.name, target)

    def write_switch(self, cpu, old, new, state):
        name = lambda t: (t.tid, t.name) if t else (0, "swapper/%d" % cpu)
        if state == "R" and old:
            state = "R+"
        self.ftrace[cpu].append((self.now, switch(at_ns(self.now), *name(old), STATES[state], *name(new))))

    def write_mark(self, cpu, text):
        self.event(cpu, mark, text)

    def wake_disk(self, task):
        super().wake_disk(task)
        function, io = self.reasons.get(task, ("folio_wait_bit_common", 1))
        self.event(0, fe, 18, I(1, task.tid) + I(2, SYMBOLS[function]) + (I(3, 1) if io else b""))

    def spawn(self, cpu, task, flags):
        """The running task makes another, which is ready at once."""
        self.event(cpu, fe, 235, I(1, task.tid) + B(2, task.name) + I(3, flags))
        self.tasks.append(task)
        self.queue.append(task)
        self.at(self.now + 5, self.fill)

    def log(self, task, tag, priority, text):
        self.packet(LOGS, B(39, B(1, I(1, 0) + I(2, task.tgid) + I(3, task.tid) + I(5, REAL + at_ns(self.now)) + B(6, tag)
                                 + I(7, priority) + B(8, text))))

    def track(self, kind, uuid, name="", more=b"", cat="recipes"):
        self.packet(TRACKS, I(13, 2), B(11, I(9, kind) + I(11, uuid) + (B(22, cat) + B(23, name) if name else b"") + more))

    def write(self):
        yield uuid_pkt(0x52656369706573, 1)
        yield clocks(BOOT, real=REAL)
        yield sync(BOOT)
        source = lambda name: B(2, B(1, B(1, name)))
        yield pkt(I(10, 1), B(33, B(1, I(1, 32768) + I(4, 2)) + b"".join(map(source, (
            "linux.ftrace", "linux.process_stats", "linux.sys_stats", "android.log", "android.surfaceflinger.frametimeline",
            "track_event"))) + I(3, END // 1000)))
        yield pkt(I(10, 1), B(45, B(1, B(1, "Linux") + B(3, "6.1.75-android14-11") + B(4, "aarch64"))))
        yield service(BOOT, 2)
        yield pkt(I(10, 1), B(47, B(1, B(1, PACKAGE) + I(2, 10234) + I(3, 1) + I(4, 1) + I(5, 41))))
        yield pkt(I(10, EVENTS), I(13, 1), B(12, b"".join(B(26, I(1, k) + B(2, s)) for s, k in SYMBOLS.items())))
        after = sorted(self.packets, key=lambda one: one[0])
        for start in range(0, END, FLUSH):
            end = start + FLUSH
            for cpu, events in enumerate(self.ftrace):
                inside = [e for us, e in events if start <= us < end]
                if inside:
                    yield bundle(cpu, inside, I(13, 2), EVENTS)
            yield from (p for us, p in after if start <= us < end)
        yield service(at_ns(END), 5)
        yield pkt(I(8, at_ns(END)), I(10, 1), B(35, B(1, I(12, 32 << 20) + I(1, 1 << 20))))


# ---- pieces of programs -----------------------------------------------------------------

def section(pid, name, *inside):
    """A section of atrace with what is done inside: numbers are us on the CPU, other things programs."""
    yield "mark", "B|%d|%s" % (pid, name)
    for part in inside:
        if isinstance(part, int):
            yield "run", part
        else:
            yield from part
    yield "mark", "E|%d" % pid


def binder(m, server, code):
    """A transaction from the running thread to the binder thread of a process, and its reply."""
    m.calls += 2
    first = m.calls

    def send(cpu, task):
        server.caller, server.code, server.id = task, code, first
        m.event(cpu, fe, 50, I(1, first) + I(2, 31) + I(3, server.tgid) + I(4, server.tid) + I(6, 1) + I(7, 16))

    yield "do", send
    yield "wake", server
    yield "wait", (server, "reply")
    yield "do", lambda cpu, task: m.event(cpu, fe, 51, I(1, first + 1))


def binder_thread(m, me, methods):
    while True:
        yield "wait", me
        yield "do", lambda cpu, task: m.event(cpu, fe, 51, I(1, me.id))
        name, us = methods[me.code]
        yield from section(me.tgid, "AIDL::java::%s::server" % name, us, *me.inside.get(me.code, ()))
        yield "do", lambda cpu, task: m.event(
            cpu, fe, 50, I(1, me.id + 1) + I(3, me.caller.tgid) + I(4, me.caller.tid) + I(5, 1) + I(6, 1))
        yield "wake", (me, "reply")
        yield "run", 40


def disk(m, task, us, function="folio_wait_bit_common", io=1):
    m.reasons[task] = function, io
    yield "disk", us


def counter(pid, name, value):
    yield "mark", "C|%d|%s|%d" % (pid, name, value)


# ---- the app ----------------------------------------------------------------------------

class Threads:
    """Those that others name."""


def app_main(m, t):
    me, r = t.main, m.random

    def start_cache(cpu, task):
        m.spawn(cpu, t.cache, NEW_THREAD)

    def start(task):
        return "do", lambda cpu, _: m.spawn(cpu, task, NEW_THREAD)

    def named(cpu, task):
        m.event(cpu, fe, 236, I(1, APP) + B(2, "main") + B(3, me.name))
        m.packets.append((m.now, ptree(at_ns(m.now), [(APP, ZYGOTE, [PACKAGE], 10234)], [(APP, me.name, APP)], TREE)))
        m.packets.append((m.now, described(t, at_ns(m.now))))

    yield from section(APP, "PostFork", 5200)
    yield "do", named
    yield start(t.gc)
    yield start(t.jit)
    yield from section(APP, "ActivityThreadMain", 3100, binder(m, t.manager, "attach"), 400)
    yield from section(
        APP, "bindApplication", 9000,
        section(APP, "OpenDexFilesFromOat(/data/app/%s/base.apk)" % PACKAGE, 6000, disk(m, me, 8200), 2500, disk(m, me, 6100),
                3900, disk(m, me, 4700, "rwsem_down_read_slowpath", 0), 1800),
        section(APP, "LoadApkAssets(/data/app/%s/base.apk)" % PACKAGE, 4800, disk(m, me, 5300), 900),
        section(APP, "RecipesApp.onCreate", 2100, iter([start(t.cache)]), 21000,
                section(APP, "Analytics.init", 17000, binder(m, t.packages, "package"), 2300),
                section(APP, "Settings.get", 600, contended(t))),
        3000)
    yield from section(
        APP, "activityStart", 4200,
        section(APP, "performCreate:%s.MainActivity" % PACKAGE, 5000,
                section(APP, "inflate", 31000, disk(m, me, 3300), 16000),
                waits_for_gc(m, t), binder(m, t.packages, "package"), 12000))
    yield from section(APP, "activityResume", 9400, section(APP, "performResume:%s.MainActivity" % PACKAGE, 7100))
    yield start(t.render)
    yield start(t.decoders[0])
    yield start(t.decoders[1])
    yield from first_frame(m, t)
    for n in range(3, 1000):
        yield "wait", "vsync"
        yield from frame(m, t, n, r)


def contended(t):
    yield from section(
        APP, "monitor contention with owner DiskCache (%d) at void %s.DiskCache.rebuild()(DiskCache.java:88) waiters=0 "
        "blocking from java.lang.String %s.Settings.get(java.lang.String)(Settings.java:41)" % (t.cache.tid, PACKAGE, PACKAGE),
        iter([("wait", "cache lock")]))
    yield "run", 700


def waits_for_gc(m, t):
    yield "wake", "gc"
    yield from section(APP, "GC: Wait For Completion Alloc", iter([("wait", "gc done")]))


def disk_cache(m, t):
    """It holds the lock of the cache while it reads every file."""
    me, r = t.cache, m.random
    yield "mark", "B|%d|DiskCache.rebuild" % APP
    for n in range(60):
        yield from section(APP, "read recipe-%03d.json" % (n + 1), 300 + r.below(300), disk(m, me, 3500 + r.below(7000)), 900 + r.below(700))
        if n % 6 == 5:
            yield from section(APP, "parse index", 4200 + r.below(1500))
    yield "do", lambda cpu, task: m.log(task, "DiskCache", 4, "rebuild: 60 files")
    yield "mark", "E|%d" % APP
    yield "wake", "cache lock"
    yield "run", 250
    while True:
        yield "wait", "cache"
        yield "run", 500


def collector(m, t):
    heap = 38_000
    while True:
        yield "wait", "gc"
        yield from counter(APP, "Heap size (KB)", heap)
        yield from section(APP, "young concurrent mark compact GC", 900, section(APP, "MarkingPhase", 13000), section(APP, "CompactionPhase", 9000), 600)
        heap -= 15_000 if heap > 40_000 else 11_500
        yield from counter(APP, "Heap size (KB)", heap)
        yield "wake", "gc done"
        heap += 24_000
        yield "run", 300


def jit(m, t):
    while True:
        yield from section(APP, "JIT compiling void %s.RecipeAdapter.bind(%s.Recipe) (kind=Baseline)" % (PACKAGE, PACKAGE), 2600)
        yield "sleep", 190_000


def first_frame(m, t):
    m.frame = 2
    begin = m.now
    yield from section(APP, "Choreographer#doFrame 2", 700, section(APP, "traversal", 500, section(APP, "measure", 14500), section(APP, "layout", 5200), section(APP, "draw", 9300)))
    yield "do", lambda cpu, task: m.log(task, "Choreographer", 5, "Skipped %d frames!  The application may be doing too much work on its main thread."
                                        % ((m.now - t.launch) // VSYNC))
    t.frames.append((2, begin, True))
    yield "wake", "render"


# frames that come late: number: the reason
LATE = {9: "decode", 17: "gc", 18: "decode", 31: "flinger", 40: "decode", 41: "decode"}


def frame(m, t, n, r):
    begin, late = m.vsync, LATE.get(n)
    parts = [section(APP, "input", 250 + r.below(200)), section(APP, "animation", 600 + r.below(300))]
    bind = [1100 + r.below(500)]
    if late == "decode":
        bind.append(section(APP, "decodeBitmap", 24000 + r.below(6000)))
    elif n % 4 == 1:
        bind.append(request(m, t, n))
    if late == "gc":
        bind.append(waits_for_gc(m, t))
    parts.append(section(APP, "traversal", 700, section(APP, "RV OnBindView", *bind), section(APP, "draw", 900 + r.below(400))))
    yield from section(APP, "Choreographer#doFrame %d" % n, *parts)
    t.frames.append((n, begin, late in ("decode", "gc")))
    yield "wake", "render"


# ---- what the app traces itself: packets of track events ---------------------------------

PROCESS_TRACK, REQUESTS, IN_MEMORY = 70, 80, 81


def described(t, ns):
    one = lambda *fields: pkt(I(8, ns), I(10, TRACKS), I(13, 2), B(60, b"".join(fields)))
    threads = [t.main] + t.decoders
    return (pkt(I(10, TRACKS), I(13, 1), I(79, APP), I(87, 1), B(59, I(58, 6)))
            + one(I(1, PROCESS_TRACK), B(3, I(1, APP) + B(6, PACKAGE)))
            + b"".join(one(I(1, 1000 + x.tid), I(5, PROCESS_TRACK), B(4, I(1, APP) + I(2, x.tid) + B(5, x.name))) for x in threads)
            + one(I(1, REQUESTS), I(5, PROCESS_TRACK), B(2, "image requests"))
            + one(I(1, IN_MEMORY), I(5, PROCESS_TRACK), B(2, "images in memory"), B(8, I(3, 2))))


def request(m, t, n):
    """An image asked for in the right way: another thread decodes it."""
    decoder = t.decoders[n // 4 % 2]

    def ask(cpu, task):
        m.track(1, 1000 + APP, "request image", F64(47, n) + B(4, B(10, "url") + B(6, "https://img.example.com/%d.webp" % n)))
        m.track(2, 1000 + APP)
        m.track(1, REQUESTS, "image %d" % n)
        decoder.jobs.append(n)

    yield "do", ask
    yield "wake", decoder


def decoder(m, t, me):
    while True:
        if not me.jobs:
            yield "wait", me
            continue
        n = me.jobs.pop(0)
        yield "do", lambda cpu, task: m.track(1, 1000 + me.tid, "decode image", F64(48, n) + B(4, B(10, "width") + I(4, 1080)))
        yield "run", 11000 + m.random.below(5000)
        yield "do", lambda cpu, task: m.track(2, 1000 + me.tid)

        def done(cpu, task):
            t.images += 1
            m.track(2, REQUESTS)
            m.track(4, IN_MEMORY, more=I(30, t.images))

        yield "do", done


# ---- frames: RenderThread and surfaceflinger ---------------------------------------------

def render(m, t):
    while True:
        if not t.frames:
            yield "wait", "render"
            continue
        n = t.frames[0][0]
        if n == 2:
            yield from section(APP, "DrawFrames 2", 3000, section(APP, "shader_compile", 21000), 2500)
        else:
            yield from section(APP, "DrawFrames %d" % n, 1700 + m.random.below(900))
        t.drawn.append(t.frames.pop(0) + (m.now,))
        yield "wake", "buffer"


def app_frame(m, token, begin, end, late):
    """The packets of one frame of the app: what was expected, what came, and why it was late."""
    layer = B(5, "TX - %s/%s.MainActivity#214" % (PACKAGE, PACKAGE))
    same = I(2, token) + I(3, token + 5000) + I(4, APP) + layer
    for us, body in (
            (begin, B(3, I(1, token * 4) + same)), (begin + VSYNC, B(5, I(1, token * 4))),
            (begin, B(4, I(1, token * 4 + 1) + same + I(6, 2 if late else 1) + I(7, not late) + I(9, late or 1) + I(10, 1) + I(12, 3 if late else 1))),
            (end, B(5, I(1, token * 4 + 1)))):
        m.packet(FRAMES, B(76, body), us=us)


def display_frame(m, token, begin, end, late):
    """Those of one frame of the display."""
    same = I(2, token) + I(3, FLINGER)
    for us, body in (
            (begin, B(1, I(1, token * 4 + 2) + same)), (begin + VSYNC, B(5, I(1, token * 4 + 2))),
            (begin, B(2, I(1, token * 4 + 3) + same + I(4, 2 if late else 1) + I(5, not late) + I(7, 16 if late else 1) + I(8, 1)
                      + I(9, 3 if late else 1))),
            (end, B(5, I(1, token * 4 + 3)))):
        m.packet(FRAMES, B(76, body), us=us)


def surfaceflinger(m, t):
    while True:
        yield "wait", "compose"
        begin, ready, t.drawn = m.vsync, t.drawn, []
        own = any(LATE.get(n) == "flinger" for n, *_ in ready)
        yield from section(FLINGER, "commit", 500 + m.random.below(200))
        yield from section(FLINGER, "composite", 21000 if own else 700 + m.random.below(300))
        for n, start, late, end in ready:
            late = late or end - start > VSYNC
            app_frame(m, n, start, max(end, m.now if own else end), 64 if late else 16 if own else 0)
            display_frame(m, n + 5000, begin, m.now, own)
            if n == 2:
                yield "wake", "displayed"


def vsync(m):
    while True:
        yield "sleep", VSYNC - 60

        def tick(cpu, task):
            m.vsync = m.now

        yield "run", 40
        yield "do", tick
        yield "wake", "vsync"
        yield "wake", "compose"
        yield "run", 10


# ---- the others -------------------------------------------------------------------------

def launcher(m, t):
    yield "wait", "tap"
    yield from section(HOME, "deliverInputEvent src=0x1002 eventTimeNano=812249000000 id=0x17", 1900, binder(m, t.manager, "start"), 2100)
    while True:
        yield "sleep", 400_000
        yield "run", 300


def activity_thread(m, t):
    """ActivityTaskManager: starts the process, and is notified when its first frame is on the screen."""
    yield "wait", "start"
    t.launch = m.now
    yield "mark", "S|%d|launchingActivity#7|0" % SERVER
    yield "do", lambda cpu, task: m.log(task, "ActivityTaskManager", 4, "START u0 {act=android.intent.action.MAIN cmp=%s/.MainActivity} with LAUNCH_SINGLE_TASK from uid 10110" % PACKAGE)
    yield from section(SERVER, "startProcess:%s" % PACKAGE, 4100)
    yield "wake", "fork"
    yield "run", 800
    yield "wait", "displayed"
    yield "mark", "F|%d|launchingActivity#7|0" % SERVER
    yield "mark", "I|%d|launchingActivity#7:completed-cold:%s" % (SERVER, PACKAGE)

    def displayed(cpu, task):
        m.log(task, "ActivityTaskManager", 4, "Displayed %s/.MainActivity for user 0: +%ds%dms" % (PACKAGE, (m.now - t.launch) // 10 ** 6, (m.now - t.launch) % 10 ** 6 // 1000))

    yield "do", displayed
    while True:
        yield "sleep", 500_000
        yield "run", 200


def zygote(m, t):
    yield "wait", "fork"
    yield from section(ZYGOTE, "ForkAndSpecialize", 9200, iter([("do", lambda cpu, task: m.spawn(cpu, t.main, NEW_PROCESS))]), 700)
    while True:
        yield "wait", "fork"


def finger(m):
    yield "sleep", 249_000
    yield "wake", "tap"
    while True:
        yield "sleep", 8_300
        yield "run", 30


def uploader(m, n):
    """Busy most of the time: it encodes photos."""
    while True:
        yield from section(PHOTOS, "encode photo", 40000 + m.random.below(50000))
        yield "sleep", 9000 + m.random.below(22000) + 3000 * n


def governor(m):
    """The frequencies: low until the tap, high while something starts."""
    for us, khz in ((1000, 864000), (254_000, 1401600), (90_000, 2188800), (1_300_000, 1401600), (700_000, 1728000)):
        yield "sleep", us

        def change(cpu, task, khz=khz):
            for one in range(len(m.running)):
                m.event(cpu, fe, 11, I(1, khz - 230400 * (one < 2)) + I(2, one))

        yield "do", change
        yield "run", 20
    while True:
        yield "sleep", 900_000


def statistics(m, t):
    """traced_probes: memory of processes and of the phone, ten times a second."""
    rss, free = {SERVER: 412_000, HOME: 164_000, PHOTOS: 231_000, FLINGER: 58_000}, 1_730_000
    while True:
        yield "sleep", 100_000

        def write(cpu, task):
            nonlocal free
            if t.main in m.tasks:
                rss[APP] = min(rss.get(APP, 61_000) + 9_000 + m.random.below(4000), 236_000)
            free -= 7_000 + m.random.below(3000)
            m.packet(STATS, B(9, b"".join(B(1, I(1, pid) + I(3, kb) + I(4, kb * 3 // 5) + I(5, kb * 2 // 5) + I(10, {APP: 0, HOME: 600, PHOTOS: 200}.get(pid, (1 << 64) - 900)))
                                          for pid, kb in sorted(rss.items()))))
            m.packet(STATS, B(7, B(1, I(1, 3) + I(2, free)) + B(1, I(1, 5) + I(2, 900_000 - free // 4))))

        yield "do", write
        yield "run", 400


def story():
    m, t = Phone(53), Threads()
    t.launch, t.frames, t.drawn, t.images, m.vsync = 0, [], [], 0, 0
    t.main = Task(APP, "example.recipes", APP, None)
    t.gc = Task(5214, "HeapTaskDaemon", APP, collector(m, t))
    t.jit = Task(5213, "Jit thread pool", APP, jit(m, t), 2)
    t.cache = Task(5227, "DiskCache", APP, disk_cache(m, t), 2)
    t.render = Task(5231, "RenderThread", APP, render(m, t))
    t.decoders = [Task(5234 + n, "ImageDecoder-%d" % (n + 1), APP, None, 2) for n in range(2)]
    for one in t.decoders:
        one.jobs, one.program = [], decoder(m, t, one)
    t.manager = Task(1702, "binder:1620_3", SERVER, None)
    t.packages = Task(1711, "binder:1620_7", SERVER, None)
    for one in (t.manager, t.packages):
        one.inside = {"start": (iter([("wake", "start")]),)}
        one.program = binder_thread(m, one, {"attach": ("IActivityManager::attachApplication", 8700), "start": ("IActivityTaskManager::startActivity", 6100),
                                             "package": ("IPackageManager::getPackageInfo", 14800)})
    t.main.program = app_main(m, t)
    home = Task(HOME, "m.example.home", HOME, launcher(m, t))
    boss = Task(SERVER, "system_server", SERVER, sleeper(120_000, 300))
    mover = Task(1644, "ActivityManager", SERVER, activity_thread(m, t))
    flinger = Task(FLINGER, "surfaceflinger", FLINGER, surfaceflinger(m, t))
    present = Task(623, "TimerDispatch", FLINGER, vsync(m))
    fork = Task(ZYGOTE, "main", ZYGOTE, zygote(m, t))
    uploads = [Task(4431 + n, "Uploader-%d" % (n + 1), PHOTOS, uploader(m, n), 2) for n in range(3)]
    photos = Task(PHOTOS, "m.example.photos", PHOTOS, sleeper(250_000, 250))
    touch = Task(1633, "InputReader", SERVER, finger(m))
    probes = Task(980, "traced_probes", 980, statistics(m, t))
    logs = Task(402, "logd", 402, sleeper(130_000, 90))
    kernel = [Task(71, "kworker/0:1H", 71, sleeper(23_000, 60)), Task(14, "rcu_preempt", 14, sleeper(17_000, 20)),
              Task(131, "sugov:0", 131, governor(m))]
    first = [home, boss, mover, t.manager, t.packages, flinger, present, fork, photos, touch, probes, logs] + uploads + kernel
    m.packets.append((0, ptree(BOOT, [
        (1, 0, ["/system/bin/init"], 0), (2, 0, ["kthreadd"], 0), (ZYGOTE, 1, ["zygote64"], 0), (402, 1, ["/system/bin/logd"], 1036),
        (FLINGER, 1, ["/system/bin/surfaceflinger"], 1000), (980, 1, ["/system/bin/traced_probes"], 9999), (SERVER, ZYGOTE, ["system_server"], 1000),
        (HOME, ZYGOTE, ["com.example.home"], 10110), (PHOTOS, ZYGOTE, ["com.example.photos"], 10120)]
        + [(x.tid, 2, [x.name], 0) for x in kernel],
        [(x.tid, x.name, x.tgid) for x in first], TREE)))
    for n, one in enumerate(first):
        m.add(one, 500 + 370 * n + (9000 if one in uploads else 0))
    m.go(END)
    return b"".join(m.write())


if __name__ == "__main__":
    sys.stdout.buffer.write(story())
