# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""presetcheck.py BUILD SRCDIR SCRATCH - the presets, as TAP.

Their results on the Perfetto demo are compared with results computed from the tables of the slow reader.  The demo has no power or
ANR data, so these presets are checked on a trace made here.
"""
import collections
import gzip
import os
import subprocess
import sys

import answers
import tap

sys.path.insert(0, os.path.join(sys.argv[2], "tests", "oracle", "perfetto"))
sys.path.insert(0, os.path.join(sys.argv[2], "tests", "mk"))
import perfettomake as mk  # noqa: E402
import slowperfetto  # noqa: E402


def read(path, *names):
    """The named tables of the slow reader."""
    trace = slowperfetto.Trace()
    trace.read(path)
    out = []
    for name in names:
        rows = [[slowperfetto.clean(c) for c in r] for r in slowperfetto.out_rows(trace, name)]
        out.append([dict(zip(rows[0], r)) for r in rows[1:]])
    return out


class Presets:
    def __init__(self, program, path):
        self.program, self.path = program, path
        a = program.run(["--no-index", "-o", "tsv", "-e", "presets", path])
        self.query = {(r["preset"], r["title"]): r for r in answers.Table(a.out).rows}

    def rows(self, preset, title):
        """Rows of one query, run with -e; --preset must print the same."""
        a = self.program.run(["--no-index", "-o", "tsv", "-e", self.query[preset, title]["query"], self.path])
        whole = self.program.run(["--no-index", "-o", "tsv", "--preset", preset, self.path])
        if a.code not in (0, 1) or whole.code not in (0, 1) or a.out.strip() not in whole.out:
            raise ValueError("%s, %s: status %d and %d" % (preset, title, a.code, whole.code))
        return answers.Table(a.out).rows


def same(what, got, want):
    return [] if got == want else ["%s: %s, not %s" % (what, got, want)]


def sums(rows, key, value=lambda r: int(r["dur"])):
    """Count and sum by key."""
    out = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        out[key(r)][0] += 1
        out[key(r)][1] += value(r)
    return {k: tuple(v) for k, v in out.items()}


def grouped(rows, *names):
    return {tuple(r[n] for n in names): (int(r["count"]), int(r["sum_wall"])) for r in rows}


def check_jank(p, frames):
    want = collections.Counter((f["process"], f["jank_tag"]) for f in frames if f["kind"] == "Actual")
    return same("frames", {(r["process"], r["tag"]): int(r["count"]) for r in p.rows("jank", "frames by tag")}, dict(want))


def check_spans(p, preset, title, slices, chosen):
    want = sums([s for s in slices if s["kind"] == "thread" and chosen(s["name"]) and int(s["dur"]) >= 0], lambda s: (s["thread"], s["name"]))
    return same(title, grouped(p.rows(preset, title), "label", "method"), want)


def check_binder(p, slices):
    want = sums([s for s in slices if s["kind"] == "thread" and s["name"] == "binder transaction" and int(s["dur"]) >= 0], lambda s: (s["thread"],))
    return same("transactions", grouped(p.rows("binder", "transactions"), "label"), want)


def check_pairs(p, flows):
    want = collections.Counter(f["out_name"] for f in flows if f["out_name"].startswith("binder transaction"))
    got = collections.Counter()
    for r in p.rows("binder", "pairs of client and server"):
        got[r["name"]] += int(r["count"])
    return same("pairs", got, want) + ["no pairs"] * (not want)


def check_cpu(p, sched, end):
    cpu = collections.Counter()
    for s in sched:
        dur = int(s["dur"]) if int(s["dur"]) >= 0 else end - int(s["ts"])
        if s["tid"] != "0":
            cpu[s["pid"]] += dur
    got = {r["pid"]: int(r["cpu"]) for r in p.rows("cpu", "processes")}
    return same("CPU", got, {k: v for k, v in cpu.items() if v > 0})


def check_io(p, sched):
    """Sleep lasts from a switch-out in state D to the next switch-in."""
    slept, out = collections.Counter(), {}
    for s in sorted(sched, key=lambda s: int(s["ts"])):
        if s["tid"] in out:
            slept[s["tid"]] += int(s["ts"]) - out.pop(s["tid"])
        if s["end_state"].startswith("D"):
            out[s["tid"]] = int(s["ts"]) + int(s["dur"])
    tid = {r["label"]: r["tid"] for r in answers.Table(p.program.run(["--no-index", "-o", "tsv", "-e", "tasks | select label tid", p.path]).out).rows}
    got = {tid[r["label"]]: int(r["disk"]) for r in p.rows("io", "tasks by uninterruptible sleep")}
    return same("uninterruptible sleep", got, dict(slept))


def check_memory(p, counters):
    want = collections.defaultdict(list)
    for c in counters:
        if c["track"] == "oom_score_adj":
            want[c["pid"]].append(float(c["value"]))
    got = sorted((float(r["min"]), float(r["max"]), float(r["last"])) for r in p.rows("memory", "priority of processes"))
    return same("priority", got, sorted((min(v), max(v), v[-1]) for v in want.values()))


def check_startup(p, slices):
    start = next(s for s in slices if s["name"].startswith("launchingActivity#"))
    got = [(r["name"], int(r["wall"])) for r in p.rows("startup", "app starts")]
    return same("start", got, [(start["name"], int(start["dur"]))])


def check_phases(p, slices, states):
    """Phases of the start, and states of the main thread from the tap to the first frame."""
    start = next(s for s in slices if s["name"].startswith("launchingActivity#"))
    begin, end = int(start["ts"]), int(start["ts"]) + int(start["dur"])
    phases = sums([s for s in slices if s["kind"] == "thread" and s["name"] in ("bindApplication", "activityStart", "activityResume", "inflate") and int(s["dur"]) >= 0],
                  lambda s: (s["thread"], s["name"]))
    got = {k: v for k, v in grouped(p.rows("startup", "steps of the start, main threads"), "label", "method").items() if k in phases}
    main = next(s["tid"] for s in slices if s["name"] == "bindApplication")
    want = collections.Counter()
    for s in states:
        inside = min(int(s["ts"]) + int(s["dur"]), end) - max(int(s["ts"]), begin)
        if s["tid"] == main and inside > 0:
            want[{"Running": "running", "R": "runnable", "R+": "preempted", "S": "sleep", "D": "disk"}[s["state"]]] += inside
    told = {r["state"]: int(r["sum_overlap"]) for r in p.rows("startup", "states of the main threads of apps during starts")}
    kinds = [len(p.rows("startup", kind + " starts")) for kind in ("cold", "warm", "hot")]
    for kind in (told, want):
        kind.pop("runnable", None)      # a new task has that state only in the slow reader
    return same("phases", got, phases) + same("states", told, dict(want)) + same("kinds of starts", kinds, [1, 0, 0])


def check_mean(p, counters, end):
    """The mean of resident memory, weighted by time."""
    values = collections.defaultdict(list)
    for c in counters:
        if c["track"] == "mem.rss":
            values[c["pid"]].append((int(c["ts"]), float(c["value"])))
    want = []
    for points in values.values():
        ends = [t for t, _ in points[1:]] + [end]
        want.append(round(sum(v * (to - t) for (t, v), to in zip(points, ends)) / (end - points[0][0]) / 1e4))
    got = [round(float(r["mean"]) / 1e4) for r in p.rows("memory", "mean over time") if r["track"] == "mem.rss"]
    return same("mean", sorted(got), sorted(want))


def check_frames(p, slices):
    """Frames of Choreographer over 16.6 ms, by the slow reader's slices."""
    want = sorted(int(s["dur"]) for s in slices if s["name"].startswith("Choreographer#doFrame") and int(s["dur"]) > 16600000)
    return same("Choreographer", sorted(int(r["wall"]) for r in p.rows("jank", "frames of Choreographer over 16.6 ms")), want)


def check_replies(p, slices):
    want = sums([s for s in slices if s["kind"] == "thread" and (s["name"].startswith("AIDL::") or s["name"] == "binder reply") and int(s["dur"]) >= 0],
                lambda s: (s["thread"], s["name"]))
    return same("replies", grouped(p.rows("binder", "replies by method"), "label", "method"), want)


def check_heap(p, counters):
    """Least and greatest heap, and frequencies of CPUs."""
    heap = [float(c["value"]) for c in counters if c["track"].startswith("Heap size")]
    got = [(float(r["min"]), float(r["max"]), float(r["last"])) for r in p.rows("gc", "heap")]
    khz = {int(float(c["value"])) for c in counters if c["track"] == "cpufreq"}
    told = {int(float(r["value"])) for r in p.rows("cpu", "frequencies")}
    return same("heap", got, [(min(heap), max(heap), heap[-1])]) + same("frequencies", told - {0}, khz)


def check_blocked(p, states):
    """Each wait of a main thread is a sleep of the slow reader, unless the end of the trace ends it."""
    rows = p.rows("blocked", "waits of main threads over 16 ms")
    asleep = {int(s["dur"]) for s in states if s["state"][:1] in "SD"}
    return ["no rows"] * (not rows) + ["%s is not a sleep" % r for r in rows if r["waker_or_end"] != "(end of trace)" and int(r["wall"]) not in asleep][:3]


def make_other(path):
    """Wakelocks, a battery, an app that did not respond."""
    at = 1000000000
    parts = [mk.clocks(at), mk.ptree(at, [(100, 1, ["system_server"], 1000), (200, 1, ["com.a"], 10001)], [(100, "system_server", 100), (200, "com.a", 200)])]
    marks = [(0, "S|100|*job*/com.a|7"), (5, "C|100|ErrorId:com.a 200#u|1"), (30, "F|100|*job*/com.a|7"), (40, "S|100|*wakelock*|8"), (90, "F|100|*wakelock*|8")]
    parts.append(mk.bundle(0, [mk.mark(at + ms * 1000000, 100, text) for ms, text in marks]))
    for ms, charge in (1, 3000), (50, 2900), (99, 2750):
        parts.append(mk.pkt(mk.I(8, at + ms * 1000000), mk.I(10, 1), mk.B(38, mk.I(1, charge))))
    with open(path, "wb") as f:
        f.write(b"".join(parts))


def check_power(program, scratch):
    path = os.path.join(scratch, "power.pftrace")
    make_other(path)
    p = Presets(program, path)
    locks = grouped(p.rows("power", "wakelocks"), "name")
    charge = [(r["counter"], float(r["max"]), float(r["min"]), float(r["last"])) for r in p.rows("power", "battery")]
    errors = [r["counter"] for r in p.rows("anr", "counters of errors")] + [(r["track"], r["start_wall"]) for r in p.rows("anr", "times of errors")]
    return same("wakelocks", locks, {("*job*/com.a",): (1, 30000000), ("*wakelock*",): (1, 50000000)}) + \
        same("battery", charge, [("batt.charge_uah", 3000.0, 2750.0, 2750.0)]) + same("errors", errors, ["ErrorId:com.a 200#u", ("ErrorId:com.a 200#u", "5000000")])


def make_app(path):
    """An app that waits for locks of ART, is slow to draw, misses frames and is killed; power rails."""
    at, ms = 2000000000, 1000000
    marks = [(0, 100, "B|100|onCreate"), (2, 100, "B|100|Lock contention on thread list lock (owner tid: 101)"), (9, 100, "E|100"), (150, 100, "E|100"),
             (151, 101, "B|100|work"), (152, 101, "B|100|Lock contention on thread list lock (owner tid: 100)"), (155, 101, "E|100"), (400, 101, "E|100"),
             (160, 100, "B|100|measure"), (180, 100, "E|100"), (200, 100, "S|100|J<SCROLL>|3"), (260, 100, "F|100|J<SCROLL>|3"),
             (300, 50, "C|50|FrameMissed|1"), (320, 50, "C|50|FrameMissed|2"), (340, 50, "C|50|HwcFrameMissed|1"), (500, 60, "C|60|kill_one_process|100")]
    events = [(t * ms, mk.mark(at + t * ms, tid, text)) for t, tid, text in marks]
    events += [(450 * ms, mk.fe(at + 450 * ms, 60, 326, mk.B(1, "app") + mk.I(2, 900) + mk.I(3, 100)))]
    switches = [(0, 0, 100), (2, 100, 101), (9, 101, 100), (520, 100, 0)]
    events += [(t * ms - 1, mk.switch(at + t * ms - 1, a, "t%d" % a, 1, b, "t%d" % b)) for t, a, b in switches]
    rails = lambda t, *values: mk.pkt(mk.I(8, at + t * ms), mk.I(10, 1), mk.B(40, b"".join(mk.B(2, mk.I(1, i) + mk.I(2, (at + t * ms) // ms) + mk.I(3, v)) for i, v in values)))
    chrome = lambda t, body, flags=2: mk.pkt(mk.I(8, at + t * ms), mk.I(10, 9), mk.I(13, flags), body)
    task = lambda t, name=None: chrome(t, mk.B(11, mk.I(11, 900) + (mk.I(9, 1) + mk.B(23, name) if name else mk.I(9, 2))))
    parts = [mk.clocks(at), mk.ptree(at, [(50, 1, ["/system/bin/surfaceflinger"], 1000), (60, 1, ["/system/bin/lmkd"], 1069), (100, 1, ["com.app"], 10001)],
                                     [(50, "surfaceflinger", 50), (60, "lmkd", 60), (100, "com.app", 100), (101, "worker", 100)]),
             mk.bundle(0, [e for _, e in sorted(events, key=lambda x: x[0])]),
             mk.pkt(mk.I(8, at), mk.I(10, 1), mk.B(40, mk.B(1, mk.I(1, 1) + mk.B(2, "cpu.big")) + mk.B(1, mk.I(1, 2) + mk.B(2, "display")))),
             chrome(0, mk.B(60, mk.I(1, 900) + mk.B(4, mk.I(1, 100) + mk.I(2, 102) + mk.B(5, "CrRendererMain")) + mk.I(9, 1)), 1),
             task(210, "ThreadControllerImpl::RunTask"), task(220, "FunctionCall"), task(270), task(280), task(290, "ThreadControllerImpl::RunTask"), task(300),
             rails(1, (1, 1000), (2, 50)), rails(250, (1, 4000), (2, 60)), rails(500, (1, 9500), (2, 75))]
    with open(path, "wb") as f:
        f.write(b"".join(parts))


def check_app(program, scratch):
    """Whole results: those of the slow reader where it has them, else what was made."""
    path = os.path.join(scratch, "app.pftrace")
    make_app(path)
    slices, counters = read(path, "slices", "counters")
    p = Presets(program, path)
    locks = sums([s for s in slices if s["kind"] == "thread" and s["name"].startswith("Lock contention on ")], lambda s: (s["thread"], s["name"]))
    longest = sorted((s["name"], int(s["dur"])) for s in slices if s["kind"] == "thread" and s["tid"] == s["pid"] and s["depth"] == "0" and int(s["dur"]) > 100000000)
    missed = collections.defaultdict(list)
    for c in counters:
        if c["track"].endswith("FrameMissed"):
            missed[c["track"]].append(float(c["value"]))
    rails = collections.defaultdict(list)
    for c in counters:
        if c["track"].startswith("power."):
            rails[c["track"]].append(float(c["value"]))
    rows = lambda preset, title, *names: sorted(tuple(r[n] for n in names) for r in p.rows(preset, title))
    adj = [(r["process"], float(r["oom_score_adj"])) for r in p.rows("memory", "priority of killed processes at that time")]
    return same("locks", grouped(p.rows("contention", "locks of ART"), "label", "method"), locks) + \
        same("long tasks", rows("jank", "long tasks of Chrome", "label", "wall"), [("CrRendererMain", "70000000")]) + \
        same("calls in them", rows("jank", "calls in these tasks", "method", "sum_overlap"), [("FunctionCall", "50000000"), ("ThreadControllerImpl::RunTask", "20000000")]) + \
        same("interactions", rows("jank", "interactions (CUJ)", "name", "wall"), [("J<SCROLL>", "60000000")]) + \
        same("missed", [(n, float(v), int(k)) for n, v, k in rows("jank", "frames missed by SurfaceFlinger", "counter", "last", "points")],
             sorted((n, v[-1], len(v)) for n, v in missed.items())) + \
        same("killed", rows("memory", "processes killed for memory", "name", "process"), [("mem.lmk", "com.app")]) + \
        same("priority", adj, [("com.app", 900.0)]) + \
        same("rails", [(n, float(g), int(k)) for n, g, k in rows("power", "rails", "counter", "energy", "points")],
             sorted((n, v[-1] - v[0], len(v)) for n, v in rails.items())) + \
        same("longest calls", sorted((n, int(w)) for n, w in rows("anr", "longest calls of main threads", "method", "wall")), longest) + \
        ["nothing was made"] * (not locks or not longest or len(rails) != 2 or len(missed) != 2)


def check_all(p):
    """Every preset with a query that fits succeeds, and prints exactly those queries that fit the file."""
    bad = []
    for name in dict.fromkeys(k[0] for k in p.query):
        a = p.program.run(["--no-index", "-o", "table", "--preset", name, p.path])
        fits = any(row["fits"] == "true" for (preset, _), row in p.query.items() if preset == name)
        bad += ["%s: status %d: %s" % (name, a.code, a.err)] * (a.code not in (0, 1) if fits else a.code != 2)
        for (preset, title), row in p.query.items():
            shown = "%s\n%s\n" % (title, "-" * len(title)) in a.out
            if preset == name and shown != (row["fits"] == "true"):
                bad.append("%s: '%s' %s" % (name, title, "is shown" if shown else "is missing"))
    return bad


def check_fits(program, path):
    """Queries that fit a file with samples in place of calls have answers."""
    p = Presets(program, path)
    fits = [r for r in p.query.values() if r["fits"] == "true"]
    runs = [(r["query"], program.run(["--no-index", "-e", r["query"], path])) for r in fits]
    return ["%s: %s" % (q, a.err) for q, a in runs if a.code not in (0, 1)] + ["%d queries" % len(fits)] * (len(fits) < 20)


def check_own(program, demo, scratch):
    """The user's presets: a new one, one that replaces a preset of icecore, and invalid lines, reported by number."""
    os.makedirs(os.path.join(scratch, "icecore"))
    with open(os.path.join(scratch, "icecore", "presets"), "w", encoding="utf-8") as f:
        f.write("# mine\n[mine] what I look at\nall threads = threads | count\nnothing = threads | where name = nobody\n[gc] my own\ntwo rows = threads | head 2\n"
                "no query\nbad = thraeds\n")
    run = lambda *args: program.run(["--no-index", "-o", "table"] + list(args), changes={"XDG_CONFIG_HOME": scratch}, fresh=True)
    mine, gc, none, heap, listed = run("--preset", "mine", demo), run("--preset", "gc", demo), run("--preset", "mien", demo), \
        run("--preset", "io", demo.replace("recipes.pftrace", "demo.hprof")), run("-e", "presets | where own = true | select preset title", demo)
    return ["mine: " + mine.out] * ("all threads\n-----------\n" not in mine.out) + \
        ["gc: " + gc.out] * (not gc.out.startswith("two rows") or gc.out.count("---") != 2) + \
        ["nothing: " + mine.out] * (not mine.out.endswith("nothing\n-------\nNone recorded.\n")) + \
        ["no line: " + gc.err] * ("icecore/presets:7: " not in gc.err) + \
        ["no line of a wrong query: " + gc.err] * ("icecore/presets:8: unknown" not in gc.err or gc.code != 2) + \
        ["near: " + none.err] * (none.code != 2 or "did you mean 'mine'" not in none.err) + \
        ["heap: %d %s" % (heap.code, heap.err)] * (heap.code != 2 or "no query of the preset fits this file" not in heap.err) + \
        ["listed: " + listed.out] * ("mine    all threads" not in listed.out)


def main():
    build, srcdir, scratch = sys.argv[1:]
    program = answers.program_of(build)
    demo = os.path.join(srcdir, "demo", "recipes.pftrace.gz")
    plain = os.path.join(scratch, "recipes.pftrace")
    with gzip.open(demo) as f, open(plain, "wb") as to:
        to.write(f.read())
    frames, slices, sched, states, counters, flows = read(plain, "frames", "slices", "sched", "states", "counters", "flows")
    p = Presets(program, plain)
    begin = "monitor contention with owner "
    tap.check("all presets answer", *check_all(p))
    sampled = os.path.join(scratch, "sampled.pftrace")
    subprocess.run([sys.executable, os.path.join(srcdir, "tests", "mk", "perfettocases.py"), sampled], check=True)
    tap.check("samples in place of calls", *check_fits(program, sampled))
    tap.check("jank", *check_jank(p, frames))
    tap.check("contention", *check_spans(p, "contention", "contended monitors", slices, lambda n: n.startswith(begin)))
    tap.check("gc", *check_spans(p, "gc", "collections", slices, lambda n: n.endswith(" GC")))
    tap.check("threads that wait for gc", *check_spans(p, "gc", "threads that waited", slices, lambda n: n.startswith("GC: Wait")))
    tap.check("binder", *check_binder(p, slices))
    tap.check("pairs of binder", *check_pairs(p, flows))
    tap.check("cpu", *check_cpu(p, sched, max(int(s["ts"]) + max(0, int(s["dur"])) for s in sched)))
    tap.check("io", *check_io(p, sched))
    tap.check("memory", *check_memory(p, counters))
    tap.check("startup", *check_startup(p, slices))
    tap.check("phases of the start", *check_phases(p, slices, states))
    tap.check("mean of memory", *check_mean(p, counters, max(int(s["ts"]) + max(0, int(s["dur"])) for s in sched)))
    tap.check("frames of Choreographer", *check_frames(p, slices))
    tap.check("replies", *check_replies(p, slices))
    tap.check("heap and frequencies", *check_heap(p, counters))
    tap.check("blocked", *check_blocked(p, states))
    tap.check("power and anr", *check_power(program, scratch))
    tap.check("locks, interactions, missed frames, kills, rails and longest calls", *check_app(program, scratch))
    tap.check("presets of a user", *check_own(program, demo, scratch))
    tap.plan()


main()
