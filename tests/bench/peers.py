#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""peers.py [--big] [--dumps DIR] [BUILD] - goals, and other programs on the same files in the same run.

A row of a goal is a ratio of processor time (user and system), the median of
runs that take turns after one that is not counted: to a walk over all headers
of the dump, to a program that does the same (a peer), or to the first edition
of icecore, which has one thread, so that here it has one, too.  For a peer the
ratios of wall time and of peak resident memory are printed, too.
Where each is: $PATH, or a variable: HPROF_SLURP, HPROF_ANALYZER,
INFERNO_COLLAPSE_PERF, INFERNO_FLAMEGRAPH, FLAMEGRAPH_PL, DMTRACEDUMP, MAWK;
DUCKDB, POLARS and SIMDJSON are a Python that has the module, whose start does
not count;
FIRST is a binary of the first edition.  Missing programs are listed.  --big adds
traces of 100 million records.  Status 1: a goal was missed.

Files are a tenth of the size that the goals were set at, and rows that would
begin after 10 minutes are skipped; with FULL=1 in the environment there is no
such limit, and files have all of it: dumps of 1 GiB, texts of 300 MB, 10
million records.
"""
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench  # noqa: E402
import heaps  # noqa: E402

FULL = os.environ.get("FULL", "") not in ("", "0")
LIMIT = float("inf") if FULL else 600   # s: no other row begins after that
RUNS = 5 if FULL else 3
LONG = 240 if FULL else 30      # s: no other run after that
DUMP_MB, TEXT_MB, RECORDS = (1074, 300, 10000000) if FULL else (100, 30, 1000000)
FOLDED = ("-o", "folded", "-e", "stacks")
REPORT = ("--jobs", "1", "--report", "--no-hash")

# Runs of both programs on one file (@): the peer, its arguments, ours, the file; goals: times the peer's processor time; MiB beyond the file.
PEERS = (
    ("hprof-slurp", ("@",), ("-e", "classes | select class objects shallow"), "dump", 0.4, None),
    ("hprof-analyzer", ("@",), REPORT, "dump", 1 / 4.5, None),
    ("hprof-analyzer", ("@",), REPORT, "server", 1 / 4.5, None),
    ("inferno-collapse-perf", ("-n", "1", "@"), FOLDED, "perf", 0.8, 96),
    ("inferno-collapse-perf", ("-n", "1", "@"), FOLDED, "perf_new", 0.5, 96),
    ("inferno-flamegraph", ("@",), ("-o", "svg", "-e", "calls"), "folded", 0.7, None),
    ("flamegraph.pl", ("@",), ("-o", "svg", "-e", "calls"), "folded", None, None),
    ("dmtracedump", ("@",), ("-e", "methods"), "trace", None, None),
)
# The peer and its program, which gets the name of a table and the number of threads; without a name it only starts, which does not
# count.  Goals: times its processor time with one thread, times its time on the wall with two.
TABLE = ("-e", "records | group owner : count sum lines | sort -sum_lines | head 5")
TABLES = (
    ("duckdb", ("-c", """import duckdb, sys
duckdb.execute("SET threads=" + sys.argv[2])
if sys.argv[1] != "":
    duckdb.execute("SELECT owner, count(*), sum(lines) s FROM read_csv('" + sys.argv[1] + "') GROUP BY owner ORDER BY s DESC LIMIT 5").fetchall()"""),
     0.8, 1.0),
    ("polars", ("-c", """import os, sys
os.environ["POLARS_MAX_THREADS"] = sys.argv[2]
import polars as p
if sys.argv[1] != "":
    p.scan_csv(sys.argv[1]).group_by("owner").agg(p.len(), p.col("lines").sum().alias("s")).sort("s").tail(5).collect(engine="streaming")"""),
     None, None),
    ("mawk", ("-F,", "{ n[$2]++; s[$2] += $5 } END { for (k in n) print k, n[k], s[k] | \"sort -k3nr | head -5\" }"), None, None),
)
# Trace events to call trees; simdjson only reads the text.
JSON = ("-e", "calls | count")
SIMDJSON = """import simdjson, sys
if sys.argv[1] != "":
    simdjson.Parser().load(sys.argv[1])"""
# Times a program that reads every varint once.  3 is the aim for the load: the index that it writes is 1.5 times the file.
PERFETTO = (("load", ("-e", "wakeups | count"), 16), ("tracks", ("-e", "tracks | count"), 24))
DOMINATORS = ("--jobs", "1", "-e", "dominators | head 1")
# For a dump: the questions, with a kept index or without; walks, and for resident memory: MiB beyond the file, or part of it.
WALKS = (
    ("objects | count", False, ("--jobs", "1", "-e", "objects | count"), 2.5, "anonymous"),
    ("classes, their objects and shallow sizes", False, ("--jobs", "1", "-e", "classes | select class objects shallow"), 2.5, "anonymous"),
    ("dominators | head 1", False, DOMINATORS, {"dump": 15, "server": 20}, None),
    ("--report --no-hash", False, REPORT, 34, "half"),
    ("--report", True, ("--report",), 5, "half"),
    ("strings | sort -length", True, ("-e", "strings | sort -length | head 3"), 5, "half"),
)
ANONYMOUS = 64      # MiB
SHAPES = ("strings", "wide", "list", "mesh")
# With an index that is kept; ns an object.
ROWS = (
    ("objects | where retained > 1m | count", 3),
    ('objects | where class = "java.lang.String" | count', 3),
    ("objects | where class ~ /Customer/ | count", 3),
    ("objects | group class", 5),
    ("objects | group reachable", 5),
)
# Times the first edition.
FIRST = (
    ("calls | count, many nodes", "calls | count", "hard", 0.5),
    ("calls | count, few nodes", "calls | count", "trace", 0.75),
    ("calls | count, folded stacks", "calls | count", "folded", 0.6),
    ("tasks | count, scheduler trace", "tasks | count", "sched", 0.75),
)


def variable(peer):
    return re.sub("[^A-Z]", "_", peer.upper())


def found(peer):
    path = os.environ.get(variable(peer)) or shutil.which(peer)
    return path if path and os.access(path, os.X_OK) else None


def cost(command):
    """Seconds of the processor and on the wall, peak resident memory in bytes."""
    start = time.perf_counter()
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    wall = time.perf_counter() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):     # 1: no rows
        raise RuntimeError("%s: status %d" % (" ".join(command), p.returncode))
    return used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024


def costs(*commands):
    """Medians of all three of each program; the programs take turns.  Runs that take very long are fewer."""
    end = time.monotonic() + LONG
    taken = [[cost(c) for c in commands]]
    while len(taken) <= RUNS and (len(taken) == 1 or time.monotonic() < end):
        taken.append([cost(c) for c in commands])
    taken = taken[1:]
    if len(taken) < RUNS:
        print("# the next rows: %d run%s of %d" % (len(taken), "s" if len(taken) > 1 else "", RUNS))
    return [heaps.medians(t[i] for t in taken) for i in range(len(commands))]


START = time.monotonic()


class Files:
    """Made when the first row needs them; None: it cannot be."""

    def __init__(self, b, dumps):
        self.b, self.dumps, self.made = b, dumps, {}

    def get(self, name):
        if name not in self.made:
            self.made[name] = getattr(self, name)()
        return self.made[name]

    def dump(self):
        return self.dumps.generated("gen-%d.hprof" % DUMP_MB, DUMP_MB) if self.dumps.java else None

    def traced(self, name, shape, records=RECORDS):
        path = os.path.join(self.b.scratch, name + ".trace")
        subprocess.run([self.b.gentrace, *shape.split(), "-n", str(records), "-o", path], check=True)
        return path

    def server(self):
        return self.dumps.server(DUMP_MB * 1000 // 1074) if self.dumps.java else None

    def trace(self):
        return self.traced("trace", bench.SHAPE)

    def hard(self):
        return self.traced("hard", bench.HARD)

    def folded(self):
        path = os.path.join(self.b.scratch, "folded.txt")
        subprocess.run([self.b.genfolded, "-s", "1", "-b", str(TEXT_MB * 1000000), "-o", path], check=True)
        return path

    def perf(self):
        path = os.path.join(self.b.scratch, "perf.txt")
        bench.perf_text(path, TEXT_MB)
        return path

    def perf_new(self):
        path = os.path.join(self.b.scratch, "perf-new.txt")
        bench.perf_text_new(path, TEXT_MB)
        return path

    def events(self):
        path, rng, size, time = os.path.join(self.b.scratch, "events.json"), random.Random(1), 0, 1000
        with open(path, "w") as f:
            size += f.write('{"traceEvents":[')
            while size < TEXT_MB * 1000000:
                for thread in range(4):
                    start, length = time, 4000
                    for _ in range(rng.randrange(1, 7)):
                        size += f.write('%s\n{"name":"Task%d::run","cat":"toplevel,v8","ph":"X","ts":%d,"dur":%d,"pid":1,"tid":%d,'
                                        '"args":{"src":"file%d.cc","n":%d}}' % ("," if size > 16 else "", rng.randrange(3000), start, length,
                                        10 + thread, rng.randrange(500), rng.randrange(1000)))
                        start += rng.randrange(1, 21)
                        length = length - 100 - rng.randrange(length // 3) if length > 200 else length // 2
                time += 4100
            f.write("\n]}\n")
        return path

    def sched(self):
        path = os.path.join(self.b.scratch, "sched.txt")
        bench.sched_text(path, TEXT_MB)
        return path

    def perfetto(self):
        return self.perfetto_of("mixed.pftrace", TEXT_MB)

    def kernel(self):
        return self.perfetto_of("kernel.pftrace", TEXT_MB // 3, "-k")

    def kernel_text(self):
        return self.perfetto_of("kernel.txt", TEXT_MB // 3, "-x")

    def perfetto_of(self, name, megabytes, *options):
        path = os.path.join(self.b.scratch, name)
        subprocess.run([self.b.genperfetto, "-b", str(megabytes * 1000000), *options, "-o", path], check=True)
        return path

    def table(self):
        path, rng, size, time = os.path.join(self.b.scratch, "table.csv"), random.Random(1), 0, 1600000000
        with open(path, "w") as f:
            f.write("ts,owner,repo,file,lines,cost,note\n")
            while size < TEXT_MB * 1000000:
                time += rng.randrange(5)
                owner, name = rng.randrange(200), rng.randrange(3000)
                size += f.write("%d,owner%d,repo%d,src/dir%d/file%d.c,%d,%d.%02d,%s\n" % (
                    time, owner, owner * 40 + rng.randrange(40), name // 50, name, rng.randrange(2000), rng.randrange(900),
                    rng.randrange(100), "plain" if rng.randrange(20) else '"quoted, with comma"'))
        return path


def skip(what, why):
    print("# skipped: %s: %s" % (what, why))


def late(what):
    if time.monotonic() - START < LIMIT:
        return False
    skip(what, "%d s have passed; FULL=1 has no limit" % LIMIT)
    return True


# ---- other programs -------------------------------------------------------------------

def bench_peers(b, files):
    for peer, theirs, ours, name, goal, beyond in PEERS:
        if late("%s, %s" % (peer, name)):
            continue
        program, path = found(peer), files.get(name) if found(peer) else None
        if path is None:
            skip(peer, "not in $PATH, and no %s names it" % variable(peer) if program is None else "no such file can be made")
            continue
        try:
            own, other = costs([b.icecore, "--no-index", "--no-history", *ours, path],
                               [program, *(path if a == "@" else a for a in theirs)])
        except RuntimeError as e:
            skip(peer, e)
            continue
        b.row("%s, of %s, %s: processor time" % (" ".join(ours), peer, name), own[0] / other[0], "x", goal and round(goal, 3))
        b.row("    ... wall", own[1] / other[1], "x")
        b.row("    ... peak of resident memory", own[2] / other[2], "x")
        if beyond:
            b.row("    ... beyond the file", (own[2] - os.path.getsize(path)) / heaps.MIB, "MiB", beyond)


def bench_tables(b, files):
    for peer, theirs, cpu_goal, wall_goal in TABLES:
        program = found(peer)
        if program is None:
            skip(peer, "not in $PATH, and no %s names it" % variable(peer))
            continue
        path = files.get("table")
        for jobs in ("1", "2"):
            commands = [[b.icecore, "--no-index", "--no-history", "--jobs", jobs, *TABLE, path], [program, *theirs, path]]
            if peer != "mawk":
                commands[1].append(jobs)
                commands.append([program, *theirs, "", jobs])
            elif jobs != "1":
                continue
            try:
                own, other, *start = costs(*commands)
            except RuntimeError as e:
                skip(peer, e)
                break
            other = [x - (start[0][i] if start else 0) for i, x in enumerate(other)]
            b.row("table, --jobs %s, of %s: processor time" % (jobs, peer), own[0] / other[0], "x", cpu_goal if jobs == "1" else None)
            b.row("    ... wall", own[1] / other[1], "x", wall_goal if jobs == "2" else None)


def bench_json(b, files):
    program = found("simdjson")
    if program is None:
        skip("simdjson", "not in $PATH, and no SIMDJSON names it")
        return
    path = files.get("events")
    own, other, start = costs([b.icecore, "--no-index", "--no-history", "--jobs", "1", *JSON, path], [program, "-c", SIMDJSON, path],
                              [program, "-c", SIMDJSON, ""])
    b.row("trace events, of simdjson, which only reads them: processor time", own[0] / (other[0] - start[0]), "x", 1.27)


def bench_perfetto(b, files):
    """Beside a program that reads every varint of the file once, and beside the same kernel events as text."""
    path, size = files.get("perfetto"), os.path.getsize(files.get("perfetto"))
    for what, ours, goal in PERFETTO:
        floor, own = costs([b.pffloor, path], [b.icecore, "--no-index", "--no-history", "--jobs", "1", *ours, path])
        b.row("Perfetto, %d MB: %s, of reading its varints: processor time" % (size // 1000000, what), own[0] / floor[0], "x", goal)
        b.row("    ... peak of resident memory, of the file", own[2] / size, "x", 4)
    trace, text = ([b.icecore, "--no-index", "--no-history", "--jobs", "1", "-e", "wakeups | count", files.get(name)] for name in
                   ("kernel", "kernel_text"))
    own, other = costs(trace, text)
    b.row("Perfetto: load, of systrace text of equal content: processor time", own[0] / other[0], "x", 0.5)


def bench_first(b, files):
    first = os.environ.get("FIRST")
    if not first:
        skip("the first edition", "no FIRST names its binary")
        return
    for what, query, name, goal in FIRST:
        asks = ["--no-index", "-e", query, files.get(name)]
        own, other = costs([b.icecore, *without_jobs(b, ["--jobs", "1"]), *asks], [first, *asks])
        b.row(what + ", of the first edition: processor time", own[0] / other[0], "x", goal)
        b.row("    ... wall", own[1] / other[1], "x")
        b.row("    ... peak of resident memory", own[2] / other[2], "x")


# ---- heap dumps -----------------------------------------------------------------------

def has_jobs(b):
    return b"--jobs" in subprocess.run([b.icecore, "--help"], stdout=subprocess.PIPE, check=True).stdout


def without_jobs(b, arguments):
    return arguments if has_jobs(b) else [a for i, a in enumerate(arguments) if a != "--jobs" and (i == 0 or arguments[i - 1] != "--jobs")]


def bench_walks(b, name, path):
    half = round(max(96, os.path.getsize(path) / heaps.MIB / 2))
    walk = heaps.median_of(RUNS, lambda: b.floor_of(path)[3])
    b.row("%s: walk over it, processor time" % name, walk * 1000, "ms")
    for what, kept, ours, goal, memory in WALKS:
        if late("%s, %s" % (name, what)):
            continue
        where = ["--index", b.index] if kept else ["--no-index"]
        (cpu, _, peak), = costs([b.icecore, *where, "--no-history", *without_jobs(b, list(ours)), path])
        b.row("%s: %s, %s: walks" % (name, what, "kept index" if kept else "no index"), cpu / walk, "x",
              goal.get(name) if isinstance(goal, dict) else goal)
        if memory == "half":
            b.row("    ... peak of resident memory", peak / heaps.MIB, "MiB", half)
        elif memory == "anonymous":
            b.row("    ... anonymous memory", b.anonymous(path, ours[-1]), "MiB", ANONYMOUS)


def bench_tree(b, name, path):
    """Random access is dearer than a walk: the floor of dominators is a program that makes nothing else."""
    floor, own = costs([b.treefloor, path], [b.icecore, "--no-index", "--no-history", *DOMINATORS, path])
    b.row(name + ": dominators | head 1, of treefloor: processor time", own[0] / floor[0], "x", 1.4)


def bench_rows(b, path):
    objects = b.floor_of(path)[0]
    ask = [b.icecore, "--index", b.index, "--no-history", "-e"]
    for query, goal in ROWS:
        base, own = costs([*ask, "info | count", path], [*ask, query, path])
        b.row(query + ": an object", (own[0] - base[0]) / objects * 1e9, "ns", goal)


def bench_jobs(b, path):
    if len(os.sched_getaffinity(0)) < 2 or not has_jobs(b):
        skip("full index, --jobs 2", "there is one processor" if has_jobs(b) else "there is no such option")
        return
    asks = [a for q in heaps.FULL for a in ("-e", q)]
    two, one = costs(*([b.icecore, "--no-index", "--no-history", "--jobs", n, *asks, path] for n in "21"))
    b.row("full index, --jobs 2 of --jobs 1: wall", two[1] / one[1], "x", 0.6)
    b.row("    ... processor time", two[0] / one[0], "x", 1.1)


def bench_pane(b, path):
    """From the key of the pane to its first rows; b.index has all columns."""
    times = []
    for _ in range(RUNS):
        pid, fd = b.start(path, b.index)
        heaps.wait_idle(b, fd, 60)
        start = time.perf_counter()
        os.write(fd, b"6")
        data = b""
        while b"waste" not in data and time.perf_counter() - start < 10:
            data += b.settle(fd, 10.0, 0.002)[2]
        times.append(time.perf_counter() - start - 0.002)
        b.stop(pid, fd)
    b.row("pane of strings: first page", statistics.median(times) * 1000, "ms", 100)


def bench_dump(b, files):
    path = files.get("dump")
    if path is None:
        skip("heap dumps", "there is no JDK, or it failed")
        return
    b.fresh()
    b.asked(("dominators | head 1",), path)
    b.row("index of dominators: an object", os.path.getsize(b.index_file()) / b.floor_of(path)[0], "B", 18)
    b.asked(heaps.FULL + heaps.TREE, path)
    b.row("    ... with referrers", os.path.getsize(b.index_file()) / b.floor_of(path)[0], "B", 21)
    cost([b.icecore, "--index", b.index, "--no-history", "--report", path])
    b.row("    ... with what a report wants", os.path.getsize(b.index_file()) / b.floor_of(path)[0], "B", 23)
    bench_walks(b, "dump", path)
    bench_tree(b, "dump", path)
    bench_rows(b, path)
    bench_pane(b, path)
    bench_jobs(b, path)


def bench_server(b, files):
    path = files.get("server")
    if path is None or late("server"):
        return
    b.fresh()
    bench_walks(b, "server", path)
    bench_tree(b, "server", path)


def bench_shapes(b, files):
    """Each shape by what an object of it costs, of one of the generated dump."""
    path = files.get("dump")
    if path is None or late("shapes"):
        return
    (usual, _, _), = costs([b.icecore, "--no-index", "--no-history", *REPORT, path])
    usual /= b.floor_of(path)[0]
    for kind in SHAPES:
        if late(kind):
            continue
        path = files.dumps.shape(kind, DUMP_MB * 10000)
        (cpu, _, peak), = costs([b.icecore, "--no-index", "--no-history", *REPORT, path])
        b.row("%s: --report --no-hash, an object, of one of dump" % kind, cpu / b.floor_of(path)[0] / usual, "x", 1.5)
        b.row("    ... peak of resident memory", peak / heaps.MIB, "MiB", round(max(96, os.path.getsize(path) / heaps.MIB / 2)))
        os.unlink(path)


# ---- traces ---------------------------------------------------------------------------

def bench_node(b, files):
    path = files.get("hard")
    b.fresh()
    cost([b.icecore, "--index", b.index, "--no-history", "-e", "calls | count", path])
    size = sum(bytes for name, bytes in b.columns() if name.startswith("call."))
    b.row("columns of a call, 32-bit clocks", size / b.nodes(path), "B", 22)


def bench_keys(b, files):
    path = files.traced("big", bench.SHAPE, 100000000)
    b.fresh()
    pid, fd = b.start(path, b.index)
    b.settle(fd, 600.0, 5.0)
    b.stop(pid, fd)
    times = b.walk(path, b.index, bench.KEYS_MERGED, ())
    b.row("100 M records: key to frame, merged and inverted, p99 of %d" % len(times), bench.p99(times), "ms", 16)


def main(argv):
    big, folder, build = heaps.options([a for a in argv if a != "--peers"])
    if build is None:
        sys.stderr.write(__doc__)
        return 2
    with tempfile.TemporaryDirectory(prefix="icecore-bench-") as scratch:
        b = heaps.Heaps(build, scratch)
        files = Files(b, heaps.Dumps(build, folder or os.path.join(build, "bench-dumps")))
        print("%-66s %10s %-4s %10s" % ("", "measured", "", "goal"))
        bench_peers(b, files)
        bench_tables(b, files)
        bench_json(b, files)
        bench_perfetto(b, files)
        bench_first(b, files)
        bench_dump(b, files)
        bench_server(b, files)
        bench_shapes(b, files)
        bench_node(b, files)
        if big:
            bench_keys(b, files)
        else:
            skip("key to frame at 100 M records", "only with --big")
    print("%d goal%s missed" % (b.missed, "" if b.missed == 1 else "s"))
    return 0 if b.missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
