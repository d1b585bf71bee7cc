#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heaps.py [--big] [--dumps DIR] [BUILD] - what opening and walking a heap dump costs.

Makes dumps of 20 MB, 100 MB and 1 GiB (and 4 GiB with --big) by HeapGen.java,
which needs a JDK, some of 100 MB by other collectors, and single shapes of a
million objects.  They stay in DIR (BUILD/bench-dumps) for the next run.
Measures, beside a walk over all headers of the same file in the same run:
the histogram, the full index (references both ways, dominators, retained
sizes), memory, the index, reopening, single objects, findings, and key to frame.  Times
are without the start of the program, and medians; goals are for the time on
the wall, that of the processor shows what other programs took from it.  The
page cache is warm.
"""
import mmap
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "hurt"))
import bench  # noqa: E402
import icx  # noqa: E402

MIB = 1 << 20
HISTOGRAM = ("histogram | count",)
# Between them they want every column of the full index.
FULL = ("info | count", "referrers @1 | count")
TREE = ("dominators | count",)   # what the pane of the dominator tree wants beside it
DOMINATORS = ("loaders | count",)   # no more than them
TWINS = ("duplicates | count",)
FINDINGS = ("findings | count",)
COLUMNS = ("object.offset", "out.", "in.", "soft.vm.parent", "soft.vm.retained")
VIEWS = ("fields @%d | head 100", "refs @%d | head 100", "referrers @%d | head 100", "path @%d | head 100")
OBJECTS = 100                 # that are looked at
SLOWEST = 15                  # of them one by one
COLLECTORS = (
    ("G1", ("-XX:+UseG1GC",)),
    ("Serial", ("-XX:+UseSerialGC",)),
    ("Parallel, no compressed references", ("-XX:+UseParallelGC", "-XX:-UseCompressedOops")),
    ("ZGC", ("-XX:+UseZGC",)),
)
SHAPES = (("list", 1000000), ("ring", 1000000), ("chained", 1000000), ("array", 10000000), ("mesh", 4000000), ("strings", 4000000), ("wide", 1000000))
HEAP_OF = {20: "1g", 100: "2g", 1074: "3g", 4300: "10g"}
KEYS = ("j", "j", "k", "\x04", "\x15", "G", "g", "j")


class Dumps:
    """Makes the files that are missing."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.classes = os.path.join(folder, "classes")
        self.java = shutil.which("java") if shutil.which("javac") else None
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def keep(self, name, make):
        """make(path) writes the file, unless an earlier run has; None when it fails."""
        path = self.path(name)
        if not os.path.exists(path):
            part = self.path("part-" + name)
            if not make(part):
                return None
            os.rename(part, path)
        return path

    def compile(self, program):
        if not os.path.exists(os.path.join(self.classes, program + ".class")):
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), program + ".java")
            subprocess.run(["javac", "-d", self.classes, source], check=True)

    def dumped(self, name, program, amount, memory, options=("-XX:+UseParallelGC",)):
        def make(path):
            self.compile(program)
            p = subprocess.run([self.java, "-Xmx" + memory, *options, "-cp", self.classes, program, path, str(amount)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            return p.returncode == 0
        return self.keep(name, make)

    def generated(self, name, megabytes, options=("-XX:+UseParallelGC",), memory=None):
        return self.dumped(name, "HeapGen", megabytes, memory or HEAP_OF[megabytes], options)

    def server(self, scale):
        return self.dumped("server-%d.hprof" % scale, "ServerGen", scale, "3g")

    def shape(self, kind, n):
        def make(path):
            with open(path, "wb") as f:
                subprocess.run([os.path.join(self.build, "tests/mk/heapshape"), kind, str(n)], stdout=f, check=True)
            return True
        return self.keep("%s-%d.hprof" % (kind, n), make)

    def packed(self, path):
        def make(part):
            with open(part, "wb") as f:
                subprocess.run(["gzip", "-1", "-c", path], stdout=f, check=True)
            return True
        return self.keep(os.path.basename(path) + ".gz", make)


class Heaps(bench.Bench):
    def __init__(self, build, scratch):
        super().__init__(build, scratch)
        self.walker = os.path.join(build, "tests/bench/heapfloor")
        self.treefloor = os.path.join(build, "tests/bench/treefloor")
        self.index = os.path.join(scratch, "index")
        self.startup, self.startup_cpu = medians([self.measured("--version") for _ in range(9)])

    def measured(self, *args):
        """Seconds on the wall and of the processor."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = self.timed(*args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def floor_of(self, path):
        """(objects, bytes, seconds of a walk with the pages mapped, the same of the processor)"""
        p = subprocess.run([self.walker, path], stdout=subprocess.PIPE, check=True)
        objects, size, wall, cpu = p.stdout.split()
        return int(objects), int(size), float(wall), float(cpu)

    def spent(self, queries, path, index=True):
        where = ["--index", self.index] if index else ["--no-index"]
        asks = [a for q in queries for a in ("-e", q)]
        wall, cpu = self.measured(*where, *asks, path)
        return wall - self.startup, cpu - self.startup_cpu

    def asked(self, *args):
        return self.spent(*args)[0]

    def fresh(self):
        shutil.rmtree(self.index, ignore_errors=True)
        os.mkdir(self.index)

    def spent_fresh(self, queries, path):
        self.fresh()
        return self.spent(queries, path)

    def index_file(self):
        names = [n for n in os.listdir(self.index) if n.endswith(".icx")]
        if len(names) != 1:
            raise RuntimeError("there is no index")
        return os.path.join(self.index, names[0])

    def columns(self):
        """Names and bytes of the columns of the index."""
        with open(self.index_file(), "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return [(name, size) for name, _, size in icx.columns(data)]

    def missing_columns(self):
        """Columns of a full index that the one there lacks."""
        names = [name for name, _ in self.columns()]
        return [c for c in COLUMNS if not any(n.startswith(c) if c.endswith(".") else n == c for n in names)]

    def peaks(self, path):
        """(anonymous, all) resident memory at its most while the index is made, sampled, in bytes."""
        self.fresh()
        asks = [a for q in FULL for a in ("-e", q)]
        p = subprocess.Popen([self.icecore, "--index", self.index, *asks, path], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        anonymous = total = 0
        try:
            with open("/proc/%d/status" % p.pid, "rb", buffering=0) as f:
                while p.poll() is None:
                    f.seek(0)
                    text = f.read()
                    anonymous = max(anonymous, kib(text, b"RssAnon:"))
                    total = max(total, kib(text, b"VmHWM:"))
                    time.sleep(0.001)
        except ProcessLookupError:
            pass
        p.wait()
        return anonymous * 1024, total * 1024


def kib(status, name):
    at = status.find(name)
    return int(status[at + len(name):status.find(b"kB", at)]) if at >= 0 else 0


def medians(pairs):
    return [statistics.median(x) for x in zip(*pairs)]


def median_of(runs, f, *args):
    return statistics.median(f(*args) for _ in range(runs))


# ---- one dump -----------------------------------------------------------------------

def bench_times(b, name, path, runs, limit, histogram=True):
    """limit: of the full index, in walks; None: none.  ns per object."""
    objects = b.floor_of(path)[0]
    walk, kept, none, summary = [], [], [], []
    for _ in range(runs):
        walk.append(b.floor_of(path)[2:])
        if histogram:
            summary.append(b.spent(HISTOGRAM, path, False))
        none.append(b.spent(FULL, path, False))
        kept.append(b.spent_fresh(FULL, path))
    lacking = b.missing_columns()
    if lacking:
        raise RuntimeError("the index lacks %s" % " ".join(lacking))
    walk, kept = medians(walk), medians(kept)
    b.row("%s: %.2f M objects, walk" % (name, objects / 1e6), walk[0] * 1000, "ms")
    if histogram:
        rows_of_walks(b, name + ": histogram", medians(summary), walk, 2.5)
    rows_of_walks(b, name + ": full index, kept", kept, walk, limit)
    rows_of_walks(b, name + ": full index, none kept", medians(none), walk, limit)
    b.row("    ... an object, kept", kept[0] / objects * 1e9, "ns", 200 if not limit else None)
    return kept[0] / objects * 1e9


def rows_of_walks(b, name, spent, walk, limit):
    b.row(name, spent[0] * 1000, "ms")
    b.row("    ... of the walk", spent[0] / walk[0], "x", limit)
    b.row("    ... of the walk, processor time", spent[1] / walk[1], "x")


def bench_memory(b, name, path):
    objects, size = b.floor_of(path)[:2]
    anonymous, total = b.peaks(path)
    b.row(name + ": anonymous memory at its most", anonymous / MIB, "MiB",
          round(max(64 * MIB, size / 4, 16 * objects) / MIB))
    b.row(name + ": resident memory at its most", total / MIB, "MiB", round(max(96 * MIB, size / 2) / MIB))
    b.row(name + ": index", os.path.getsize(b.index_file()) / objects, "B/o", 24)
    b.asked(TREE, path)
    b.row("    ... with the order of the dominator tree", os.path.getsize(b.index_file()) / objects, "B/o")


def bench_reopen(b, name, path, runs):
    """The index is there."""
    for what, query in (("histogram", "histogram | head 20"), ("classes by retained size",
                        "classes | sort -retained | head 20"), ("dominators", "dominators | head 20")):
        t = median_of(runs, b.asked, (query,), path) + b.startup
        b.row("%s: reopen, %s" % (name, what), t * 1000, "ms", 50)
    objects = b.floor_of(path)[0]
    rnd = random.Random(1)
    ids = [rnd.randint(1, objects) for _ in range(OBJECTS)]
    ask = [v % i for i in ids for v in VIEWS]
    base = median_of(runs, b.asked, [v % ids[0] for v in VIEWS], path)
    b.row("%s: one object's view, mean of %d" % (name, OBJECTS),
          (b.asked(ask, path) - base) / (OBJECTS - 1) * 1000, "ms", 10)
    worst = max(min(b.asked([v % i for v in VIEWS], path) for _ in range(2)) for i in ids[:SLOWEST])
    first = median_of(runs, b.asked, ("histogram | head 1",), path)
    b.row("%s: one object's view, slowest of %d" % (name, SLOWEST), (worst - first) * 1000, "ms", 10)


def bench_findings(b, name, path, runs, limit):
    """All findings against the dominators they rest on; the share of equal strings and arrays is printed, too."""
    tree, twins, rest = [], [], []
    for _ in range(runs):
        tree.append(b.spent_fresh(DOMINATORS, path))
        b.asked(FULL, path)
        twins.append(b.spent(TWINS, path))
        rest.append(b.spent(FINDINGS, path))
    tree, twins, rest = medians(tree), medians(twins), medians(rest)
    b.row(name + ": findings", (twins[0] + rest[0]) * 1000, "ms")
    b.row("    ... share of the dominators' time", (twins[0] + rest[0]) / tree[0], "x", limit)
    b.row("    ... the same without equal strings and arrays", rest[0] / tree[0], "x")
    b.row("    ... the same, processor time of all", (twins[1] + rest[1]) / tree[1], "x")


def bench_processors(b, name, path, runs):
    processors = os.sched_getaffinity(0)
    if len(processors) < 2:
        print("# skipped: %s: all processors against one: there is one" % name)
        return
    one, every = [], []
    for _ in range(runs):
        os.sched_setaffinity(0, {min(processors)})
        one.append(b.spent_fresh(FULL, path)[0])
        os.sched_setaffinity(0, processors)
        every.append(b.spent_fresh(FULL, path)[0])
    b.row("%s: full index, %d processors against one" % (name, len(processors)),
          statistics.median(every) / statistics.median(one), "x", 0.75)


def bench_packed(b, dumps, name, path, runs):
    packed = dumps.packed(path)
    both, plain, inflate = [], [], []
    for _ in range(runs):
        inflate.append(b.floor_of(packed)[2])
        plain.append(b.spent_fresh(FULL, path)[0])
        both.append(b.spent_fresh(FULL, packed)[0])
    both, plain, inflate = (statistics.median(x) for x in (both, plain, inflate))
    b.row(name + ", gzip: full index", both * 1000, "ms")
    b.row("    ... of inflating and the plain full index", both / (inflate + plain), "x", 1.05)


def wait_idle(b, fd, limit):
    """Until the screen stands still, which no progress does."""
    end = time.monotonic() + limit
    while time.monotonic() < end and b.settle(fd, 1.0, 0.6)[0] is not None:
        pass


def bench_keys(b, name, path):
    b.fresh()
    pid, fd = b.start(path, b.index)
    b.settle(fd, 1.0, 0.05)
    times = b.key_times(fd, KEYS, 150)
    wait_idle(b, fd, 300)
    b.row("%s: key to frame while indexing, p99 of %d" % (name, len(times)), bench.p99(times), "ms", 16)
    for key in ("1", "2", "3", "4"):
        b.key_times(fd, (key,), 1)
        wait_idle(b, fd, 300)
        times = b.key_times(fd, KEYS, 60)
        if times:
            b.row("%s: key to frame, pane %s, p99 of %d" % (name, key, len(times)), bench.p99(times), "ms", 16)
    b.stop(pid, fd)


# ---- all ------------------------------------------------------------------------------

def bench_generated(b, dumps, big):
    each = {}
    sizes = ((20, "20 MB", 5, 40), (100, "100 MB", 5, 40), (1074, "1 GiB", 3, 40)) + (
        ((4300, "4 GiB", 2, 60),) if big else ())
    for megabytes, name, runs, limit in sizes:
        path = dumps.generated("gen-%d.hprof" % megabytes, megabytes)
        if path is None:
            print("# skipped: %s: the generator failed" % name)
            continue
        each[megabytes] = bench_times(b, name, path, runs, limit)
        bench_memory(b, name, path)
        bench_reopen(b, name, path, runs)
        bench_findings(b, name, path, min(runs, 3), 0.3 if megabytes >= 1074 else None)
        bench_processors(b, name, path, min(runs, 3))
        if megabytes <= 1074:
            bench_packed(b, dumps, name, path, min(runs, 3))
        if megabytes >= 1074:
            bench_keys(b, name, path)
    for small, large, limit in ((20, 1074, 1.3), (1074, 4300, 2)):
        if small in each and large in each:
            b.row("an object of %d MB, of one of %d MB" % (large, small), each[large] / each[small], "x", limit)


def bench_collectors(b, dumps):
    for name, options in COLLECTORS:
        file = "gen-100-%s.hprof" % "".join(c for c in name if c.isalnum())
        path = dumps.generated(file, 100, options, "3g")
        if path is None:
            print("# skipped: 100 MB, %s: this JDK has it not" % name)
            continue
        bench_times(b, "100 MB, " + name, path, 3, 40)
        bench_memory(b, "100 MB, " + name, path)


def bench_shapes(b, dumps):
    for kind, n in SHAPES:
        path = dumps.shape(kind, n)
        bench_times(b, "%s of %d M" % (kind, n // 1000000), path, 3, None, False)
        os.unlink(path)


def options(argv):
    """(--big, the directory of --dumps or None, that of the build); None for a wrong option."""
    rest = [a for a in argv[1:] if a != "--big"]
    big, folder = "--big" in argv, None
    if "--dumps" in rest[:-1]:
        at = rest.index("--dumps")
        folder = rest[at + 1]
        del rest[at:at + 2]
    wrong = len(rest) > 1 or any(a.startswith("-") for a in rest)
    return big, folder, None if wrong else rest[0] if rest else "."


def main(argv):
    big, folder, build = options(argv)
    if build is None:
        sys.stderr.write(__doc__)
        return 2
    dumps = Dumps(build, folder or os.path.join(build, "bench-dumps"))
    with tempfile.TemporaryDirectory(prefix="icecore-bench-") as scratch:
        b = Heaps(build, scratch)
        print("%-66s %10s %-4s %10s" % ("", "measured", "", "goal"))
        b.row("start of the program, taken off the times below", b.startup * 1000, "ms")
        if dumps.java:
            bench_generated(b, dumps, big)
            bench_collectors(b, dumps)
        else:
            print("# skipped: generated dumps: there is no JDK")
        bench_shapes(b, dumps)
    print("%d goal%s missed" % (b.missed, "" if b.missed == 1 else "s"))
    return 0 if b.missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
