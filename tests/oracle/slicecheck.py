#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""slicecheck.py BUILD SCRATCH - parts of files that icecore slice writes, as TAP.

A slice of all of a file answers as the file.  A slice of a part answers as the file with 'range': calls that began before it start with it,
except for some nanoseconds (in text microseconds) that keep the order of those calls.
"""
import gzip
import io
import os
import random
import stat
import subprocess
import sys
import tarfile
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "perfetto"))
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import perfettomake  # noqa: E402
import slowperfetto  # noqa: E402
from check import Tap, attempt  # noqa: E402

MK = os.path.join(HERE, "..", "mk")
WHOLE = ("info | where field !~ /^(repair|loss|packets|encoding|unpacked|index|sha|tail)/", "switches", "wakeups", "calls", "async_spans",
         "counters", "marks", "events", "threads", "tasks", "states", "flows")
# Generated files in which nothing is to be read.
NOTHING = ("heap-graph-alone", "heap-graph-cut", "zip-of-two", "compressed-bomb", "empty", "json-inside", "meta-only", "plain-zip")


def run(build, *args, **more):
    program = os.environ.get("ICECORE", os.path.join(build, "icecore"))
    if more:
        return subprocess.run([program, "slice", *args], capture_output=True, check=False, **more)
    return answers.quick(program).result(["slice", *args])


def rows(program, path, query):
    a = program.ask(path, query, options=("--no-index", "--clock", "wall"))
    return a.tables()[0].rows if a.code in (0, 1, 3) and a.out else []


def info(program, path, field):
    found = [int(r["value"]) for r in rows(program, path, "info | where field == '%s'" % field)]
    return found[0] if found else 0


# ---- all of a file ---------------------------------------------------------------------------------------


def check_whole(build, program, path, out):
    p = run(build, "0s", "1000h", path, out, "--force")
    if p.returncode not in (0, 3):
        return ["%d: %s" % (p.returncode, p.stderr)]
    a, b = [program.ask(f, *WHOLE, options=("--no-index", "--clock", "wall")).out.split("\n") for f in (path, out)]
    return [] if a == b else ["other rows"] + [(x, y) for x, y in zip(a, b) if x != y][:3]


# ---- a part ------------------------------------------------------------------------------------------------


class Part:
    """A file and a part of it, with times of both since the file begins."""

    def __init__(self, build, program, path, out, begin, end, slack, scale=1):
        self.program, self.path, self.out, self.slack = program, path, out, slack
        self.begin, self.end = begin, end
        p = run(build, "%dns" % begin, "%dns" % end, path, out, "--force")
        self.bad = [] if p.returncode == 0 else ["%d: %s" % (p.returncode, p.stderr)]
        start = info(program, out, "clock_start")
        self.shift = start - info(program, path, "clock_start")
        self.last = self.shift + info(program, out, "elapsed")
        # The part ends at its last event, if its time is known.
        self.end = self.last if start > 0 else end

    def range_of(self, query):
        word, bar, rest = query.partition(" |")
        return "%s | range %dns .. %dns%s%s" % (word, self.begin, self.end, bar, rest)

    def same(self, query, key, numbers=(), time=None, length=None):
        """Rows with equal keys, and numbers within the slack; of rows with a time those that begin in the part."""
        def take(path, text, shift):
            found = []
            for r in rows(self.program, path, text):
                at = int(r[time]) + shift if time else 0
                if time and not self.begin < at < self.last:
                    continue
                more = [float(r[n] or 0) for n in numbers]
                if length:
                    more.append(min(at + int(r[length] or 0), self.last) - at)
                found.append((at, tuple(r[k] for k in key), more))
            return sorted(found)
        a, b = take(self.path, self.range_of(query), 0), take(self.out, query, self.shift)
        if [x[:2] for x in a] != [x[:2] for x in b]:
            differ = [(x, y) for x, y in zip(a, b) if x[:2] != y[:2]][:1]
            self.bad.append("%s: %d rows, not %d %s" % (query, len(b), len(a), differ))
            return
        for x, y in zip(a, b):
            if any(abs(m - n) > self.slack for m, n in zip(x[2], y[2])):
                self.bad.append("%s: %s, not %s" % (query, y, x))
                return
        if not a:
            self.bad.append("%s: no rows" % query)


def check_scheduler(part):
    """Ten sources."""
    part.same("switches", ("cpu", "from", "state", "to"), time="time")
    part.same("wakeups", ("task", "waker", "cpu", "target_cpu", "context"), time="time")
    part.same("states", ("thread", "state"), time="start_wall", length="wall")
    part.same("waits", ("thread", "state"), time="start_wall", length="wall")
    part.same("cpus", ("cpu",), ("busy", "idle"))
    part.same("tasks | where cpu > 200us", ("name", "tid"), ("cpu",))


def check_calls(part, of=""):
    part.same("methods%s | where calls > 0" % of, ("name", "calls"), ("self_wall", "total_wall"))
    # The wall time of a task is that of its switches, of which the first in a part has nothing before it.
    part.same("threads%s | where calls > 0" % of, ("tid", "name", "calls"), ("wall",) if not of else ())
    part.same("merged%s" % of, ("depth", "method", "calls"), ("self_wall", "total_wall"))
    part.same("calls%s" % of, ("thread", "depth", "method"), ())
    part.same("marks", ("name", "cat", "process"), time="time")


def big(scratch):
    path = os.path.join(scratch, "big.pftrace")
    if not os.path.exists(path):
        perfettomake.big(0.6, path, 7)
    return path


def check_big(build, program, scratch):
    part = Part(build, program, big(scratch), os.path.join(scratch, "part.pftrace"), 70000000, 130000000, 50000)
    check_scheduler(part)
    # Samples fill calls up to the next one, which the part may lack.
    check_calls(part, " | event calls")
    return part.bad


def check_oracle(build, program, scratch):
    """An independent reader reads the same events in the part and in the file; ends after the part are missing."""
    path, out = big(scratch), os.path.join(scratch, "oracle.pftrace")
    part, bad = Part(build, program, path, out, 70000000, 130000000, 0), []
    begin = info(program, path, "clock_start") + part.begin
    end = begin - part.begin + 130000000

    def take(file):
        trace, found = slowperfetto.Trace(), {}
        trace.read(file)
        for name in ("sched", "wakes", "slices", "counters", "samples"):
            table = [[slowperfetto.clean(c) for c in r] for r in slowperfetto.out_rows(trace, name)]
            rs = [dict(zip(table[0], r)) for r in table[1:]]
            found[name] = sorted((int(r["ts"]), r.get("cpu", ""), r.get("tid", ""), r.get("name", ""), r.get("value", ""), r.get("track", ""),
                                  r["dur"] if int(r.get("dur", -1)) >= 0 and int(r["ts"]) + int(r["dur"]) < part.last + begin - part.begin else "")
                                 for r in rs if begin < int(r["ts"]) < end)
        return found
    a, b = take(path), take(out)
    for name, want in a.items():
        if want != b[name] or not want:
            bad.append("%s: %d rows, not %d: %s" % (name, len(b[name]), len(want), [x for x in zip(want, b[name]) if x[0] != x[1]][:2]))
    return part.bad + bad


def check_async(build, program, scratch):
    """Calls without switches, asynchronous spans, instants, counters: by their times in the file."""
    pm = perfettomake
    t0 = 100 * 10 ** 9
    event = lambda at, *f: pm.pkt(pm.I(8, at), pm.I(10, 3), pm.B(11, b"".join(f)))  # noqa: E731
    body = [pm.clocks(t0), pm.pkt(pm.I(10, 3), pm.I(13, 1), pm.B(60, pm.I(1, 9) + pm.B(2, "lane")))]
    body.append(pm.pkt(pm.I(10, 3), pm.B(60, pm.I(1, 8) + pm.B(2, "level") + pm.B(8, b""))))
    body.append(event(t0 + 10, pm.I(9, 1), pm.I(11, 9), pm.B(23, "outer")))
    body.append(event(t0 + 20, pm.I(9, 4), pm.I(11, 8), pm.I(30, 17)))
    body += [event(t0 + 100 + i, pm.I(9, 3), pm.I(11, 9), pm.B(23, "tick%d" % i)) for i in range(50)]
    body.append(event(t0 + 125, pm.I(9, 1), pm.I(11, 9), pm.B(23, "inner")))
    body.append(event(t0 + 126, pm.I(9, 2), pm.I(11, 9)))
    body.append(event(t0 + 140, pm.I(9, 2), pm.I(11, 9)))
    path, out = os.path.join(scratch, "async.pftrace"), os.path.join(scratch, "async.out")
    with open(path, "wb") as f:
        f.write(b"".join(body))
    part = Part(build, program, path, out, 110, 135, 4)
    part.same("marks", ("name",), time="time")
    part.same("async_spans", ("name",), time="start_wall", length="wall")
    spans = [(r["name"], int(r["start_wall"]) + part.shift) for r in rows(program, out, "async_spans")]
    if spans != [("outer", 110), ("inner", 115)]:
        part.bad.append(spans)
    if [(r["counter"], r["points"], r["last"]) for r in rows(program, out, "counters")] != [("level", "1", "17")]:
        part.bad.append("the value of the counter is lost")
    return part.bad


def check_text(build, program, scratch, style):
    path, out = os.path.join(scratch, style + ".txt"), os.path.join(scratch, style + ".out")
    subprocess.run([sys.executable, os.path.join(MK, "schedmake.py"), path, "seed=5", "n=4000", "style=" + style, "cpus=4", "tasks=12"], check=True)
    part = Part(build, program, path, out, 2000000000, 5000000000, 60000)
    check_scheduler(part)
    part.bad = [b for b in part.bad if "no rows" not in b]
    if subprocess.run(["cmp", path, out], capture_output=True, check=False).returncode == 0:
        part.bad.append("nothing is left out")
    return part.bad + check_whole(build, program, path, out)


def check_again(build, scratch):
    """The start of an asynchronous span that comes again before its end is the same span: after the end none is open."""
    path, out = os.path.join(scratch, "again.txt"), os.path.join(scratch, "again.out")
    marks = ((1, "S|5|job|4"), (2, "S|5|job|4"), (3, "F|5|job|4"), (4, "S|5|open|6"), (10, "B|5|draw"), (20, "E|5"), (30, "B|5|late"))
    with open(path, "w", encoding="utf-8") as f:
        f.write("# tracer: nop\n#\n" + "".join("  app-5 [000] .... 100.%03d000: tracing_mark_write: %s\n" % (ms, text) for ms, text in ((0, "C|5|n|1"), *marks)))
    done = run(build, "--force", "5ms", "25ms", path, out)
    if done.returncode != 0:
        return ["status %d: %s" % (done.returncode, done.stderr)]
    with open(out, encoding="utf-8") as f:
        got = [line.rsplit(" ", 1)[1] for line in f.read().splitlines() if line[0] != "#"]
    want = ["C|5|n|1", "S|5|open|6", "B|5|draw", "E|5"]
    return [] if got == want else ["%s, not %s" % (got, want)]


def check_perf(build, program, scratch):
    path, out = os.path.join(scratch, "perf.txt"), os.path.join(scratch, "perf.out")
    with open(path, "w", encoding="utf-8") as f:
        f.write("# captured on a day\n#\n")
        for i in range(300):
            f.write("worker%d %d [%03d] %d.%06d:     250000 cycles:\n" % (i % 3, 100 + i % 3, i % 4, 10 + i // 100, i % 100 * 10000))
            f.write("\t    55d0c8a1%04x f%d+0x5 (/bin/x)\n\t    7f01c8a10000 main+0x7 (/bin/x)\n\n" % (i % 7, i % 7))
    part = Part(build, program, path, out, 500000000, 2000000000, 0)
    part.shift = 0
    for query, key in (("methods", ("name", "samples", "self", "total")), ("merged", ("depth", "method", "samples", "total")),
                       ("inverted", ("depth", "method", "samples", "total")), ("calls", ("thread", "depth", "method", "samples"))):
        part.same(query + " | where samples > 0", key)
    with open(out, encoding="utf-8") as f:
        text = f.read()
    if not text.startswith("# captured") or text.count("cycles:") != 150:
        part.bad.append("%d samples" % text.count("cycles:"))
    return part.bad + check_whole(build, program, path, out)


def check_jfr(build, program, scratch, srcdir):
    path, out = os.path.join(srcdir, "tests", "fuzz", "corpus", "slice", "jfr"), os.path.join(scratch, "part.jfr")
    with open(path, "rb") as f:
        data = f.read()
    bad = check_whole(build, program, path, out)
    p = run(build, "0s", "1ns", path, out, "--force")
    with open(out, "rb") as f:
        part = f.read()
    if p.returncode != 0 or not data.startswith(part) or len(part) >= len(data):
        bad.append("%d: %d bytes of %d: %s" % (p.returncode, len(part), len(data), p.stderr))
    return bad


# ---- damage ----------------------------------------------------------------------------------------------------


def check_damage(build, scratch, names):
    """Every prefix, and mutants: none of them ends the process, and slices can be opened."""
    folder = os.path.join(scratch, "damage")
    os.makedirs(folder, exist_ok=True)
    r = random.Random(53)
    paths = []
    for name in names:
        with open(os.path.join(scratch, "odd", name + ".pftrace"), "rb") as f:
            data = f.read()
        made = [data[:n] for n in range(0, len(data), int(os.environ.get("HURT_STEP", "13")))]
        for _ in range(80):
            b = bytearray(data)
            for _ in range(r.randrange(1, 6)):
                b[r.randrange(len(b))] = r.randrange(256)
            made.append(bytes(b))
        for i, b in enumerate(made):
            paths.append(os.path.join(folder, "%s-%d" % (name, i)))
            with open(paths[-1], "wb") as f:
                f.write(b)
    p = subprocess.run([os.path.join(build, "tests", "fuzz", "fuzz_slice"), *paths], capture_output=True, check=False)
    return [] if p.returncode == 0 else [p.stdout[-300:], p.stderr[-2000:]]


def check_damaged_exit(build, program, scratch):
    bad = []
    for name in ("garbage-middle", "length-lies", "cut"):
        path, out = os.path.join(scratch, "odd", name + ".pftrace"), os.path.join(scratch, "sound.pftrace")
        p = run(build, "0s", "1h", path, out, "--force")
        again = run(build, "0s", "1h", out, os.path.join(scratch, "again.pftrace"), "--force")
        if p.returncode != 3 or b"damaged" not in p.stderr or again.returncode != 0:
            bad.append("%s: %d %s, then %d" % (name, p.returncode, p.stderr, again.returncode))
    return bad


def cut_inputs(build, scratch, srcdir):
    """One file of each format that can be sliced, and the ends of its records."""
    def lines(data):
        return [i + 1 for i, c in enumerate(data) if c == 10]
    made = {}
    for style in "ftrace", "tracecmd", "perf":
        path = os.path.join(scratch, "cut-" + style)
        subprocess.run([sys.executable, os.path.join(MK, "schedmake.py"), path, "seed=9", "n=60", "style=" + style, "cpus=2", "tasks=4"], check=True)
        made["sched text, " + style] = (path, lines)
    path = os.path.join(scratch, "cut-samples")
    with open(path, "w", encoding="utf-8") as f:
        for i in range(20):
            f.write("worker 100 [000] 10.%06d:     250000 cycles:\n\t    55d0c8a10000 f%d+0x5 (/bin/x)\n\t    7f01c8a10000 main+0x7 (/bin/x)\n\n" % (i, i))
    made["perf script"] = (path, lines)
    made["JFR"] = (os.path.join(srcdir, "tests", "fuzz", "corpus", "slice", "jfr"), None)
    made["Perfetto"] = (os.path.join(scratch, "odd", "garbage-middle.pftrace"), None)
    return made


def check_cut(build, program, scratch, srcdir):
    """What is cut within a record is told by exit 3 and a count, as when it is opened; the whole records are there, and are sound."""
    bad, out, again = [], os.path.join(scratch, "cut-part"), os.path.join(scratch, "cut-again")
    for name, (path, ends) in cut_inputs(build, scratch, srcdir).items():
        with open(path, "rb") as f:
            data = f.read()
        cut, told = os.path.join(scratch, "cut-input"), 0
        for n in range(len(data) - 1, len(data) // 2, -(len(data) // 40 + 3)):
            with open(cut, "wb") as f:
                f.write(data[:n])
            opened = program.ask(cut, "info | where field == 'loss.tail_bytes' | select value", options=("--no-index",))
            lost = int((opened.out.split() + ["0"])[1]) if opened.out.startswith("value") and len(opened.out.split()) > 1 else 0
            p = run(build, "0s", "1000h", cut, out, "--force")
            if opened.code not in (0, 1, 3) or p.returncode not in (0, 3):
                continue            # nothing is left to be read
            told += p.returncode == 3
            if lost and p.returncode != 3:
                bad.append("%s cut at %d: %d of %d bytes lost, exit %d" % (name, n, lost, n, p.returncode))
            if not ends:
                continue
            with open(out, "rb") as f:
                part = f.read()
            if lost and (part != data[:n - lost] or n - lost not in ends(data) or b"the last %d bytes" % lost not in p.stderr):
                bad.append("%s cut at %d: %d bytes, %s" % (name, n, len(part), p.stderr))
            if lost and (second := run(build, "0s", "1000h", out, again, "--force")).returncode != 0:
                bad.append("%s cut at %d: the part: %s" % (name, n, second.stderr))
        if told < 5:
            bad.append("%s: damage is told for %d lengths" % (name, told))
    return bad


# ---- files -----------------------------------------------------------------------------------------------------


def check_files(build, scratch, srcdir):
    path, out = big(scratch), os.path.join(scratch, "files.pftrace")
    zipped, heap = out + ".gz", os.path.join(srcdir, "demo", "demo.hprof.gz")
    bad = []

    def want(code, text, *args, **more):
        p = run(build, *args, **more)
        if p.returncode != code or text.encode() not in p.stderr:
            bad.append("%s: %d %s" % (args, p.returncode, p.stderr))
        return p.stdout

    want(0, "events, and ", "10ms", "20ms", path, out)
    if stat.S_IMODE(os.stat(out).st_mode) != 0o600:
        bad.append("others may read it")
    with open(out, "rb") as f:
        part = f.read()
    with open(path, "rb") as f:
        if want(0, "", "--quiet", "10ms", "20ms", "-", "-", stdin=f) != part:
            bad.append("a pipe gives something else")
    want(0, "", "10ms", "20ms", path, zipped)
    with gzip.open(zipped) as f:
        if f.read() != part:
            bad.append("packed it is something else")
    cut, sound = os.path.join(scratch, "cut.pftrace.gz"), os.path.join(scratch, "cut.pftrace")
    with open(path, "rb") as f, open(cut, "wb") as g:
        g.write(gzip.compress(f.read())[:-4])
    want(3, "compressed data truncated or damaged", "10ms", "20ms", cut, sound)
    with open(sound, "rb") as f:
        if f.read() != part:
            bad.append("the part of a cut file is something else")
    want(2, "already exists", "10ms", "20ms", path, out)
    want(2, "same file", "10ms", "20ms", path, path, "--force")
    want(2, "invalid range '20ms' to '10ms'", "20ms", "10ms", path, out, "--force")
    want(2, "invalid range 'x' to '1s'", "x", "1s", path, out, "--force")
    want(2, "no event in that range; it lasts", "10h", "20h", path, out, "--force")
    want(2, "slice takes FROM TO IN OUT", "10ms", "20ms", path)
    want(5, "cannot be cut by time", "1s", "2s", heap, out, "--force")
    with open(out, "rb") as f:
        if f.read() != part:
            bad.append("a failure replaced the file")
    left = [n for n in os.listdir(scratch) if n.startswith(".")]
    return bad + left


def archives(first, second):
    """Two traces in every container; the notes are not a trace."""
    def zipped(how, *members):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", how) as z:
            for name, data in members:
                z.writestr(name, data)
        return out.getvalue()

    def tarred(mode):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as t:
            for name, data in (("a.pftrace", first), ("notes.txt", b"notes"), ("b.pftrace", second)):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                t.addfile(member, io.BytesIO(data))
        return out.getvalue()
    members = (("a.pftrace", first), ("notes.txt", b"notes"), ("b.pftrace", second))
    packed = perfettomake.pkt(perfettomake.B(50, zlib.compress(first + second)))
    half = len(first) // 2
    return {"gzip of two members": gzip.compress(first) + gzip.compress(second), "gzip of halves": gzip.compress(first[:half]) + gzip.compress(first[half:] + second),
            "zip": zipped(zipfile.ZIP_DEFLATED, *members), "zip, stored": zipped(zipfile.ZIP_STORED, *members), "tar": tarred("w"), "tar.gz": tarred("w:gz"),
            "compressed packets": packed, "compressed in compressed": perfettomake.pkt(perfettomake.B(50, zlib.compress(packed))),
            "zip of compressed packets": zipped(zipfile.ZIP_DEFLATED, ("a.pftrace", packed))}


def check_archives(build, program, scratch):
    """A part of two traces in an archive is that of the traces one after the other; files without such a part are refused."""
    with open(big(scratch), "rb") as f:
        first = f.read()
    second = perfettomake.uuid_pkt(8, 10) + first
    path, out, bad = os.path.join(scratch, "archive"), os.path.join(scratch, "archive-part"), []

    def part(data):
        with open(path, "wb") as f:
            f.write(data)
        p = run(build, "--force", "--quiet", "70ms", "90ms", path, out)
        if p.returncode != 0:
            return p.stderr
        with open(out, "rb") as f:
            return f.read()
    want = part(first + second)
    if len(want) < 10000:
        bad.append(want)
    for name, data in archives(first, second).items():
        got = part(data)
        if got != want:
            bad.append("%s: %d bytes, not %d" % (name, len(got), len(want)))
    if not rows(program, path, "switches | range 70ms 90ms | head 1"):
        bad.append("no switches")
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w") as z:
        z.writestr("sched.txt", "# tracer: nop\n")
    if b"no sched_switch events or markers" not in part(text.getvalue()):
        bad.append(part(text.getvalue()))
    return bad


def check_names(build, program, demo, out):
    """A process that was named before the part keeps its name, although the kernel had another one for it earlier."""
    a = run(build, "--force", "1s", "2s", demo, out)
    names = [{(r["pid"], r["name"]) for r in rows(program, path, "processes | where threads > 0 | select pid name")} for path in (demo, out)]
    return ["status %d" % a.returncode] * (a.returncode != 0) + ["%s" % sorted(names[1] - names[0])] * bool(names[1] - names[0]) + \
        ["no names"] * (len(names[1]) < 5)


def check_kinds(build, program, scratch):
    """CPU 1, process 1 and thread 1 have the same number: what is known of one says nothing of the others."""
    ms, path, out = 1000000, os.path.join(scratch, "kinds.pftrace"), os.path.join(scratch, "kinds-part.pftrace")
    at = lambda n: 1000000000 + n * ms
    with open(path, "wb") as f:
        f.write(b"".join([
            perfettomake.clocks(at(0)),
            perfettomake.bundle(1, [perfettomake.switch(at(10), 0, "swapper", 0, 300, "busy")]),
            perfettomake.ptree(at(50), [(1, 0, ["init"], 0)], [(1, "init", 1)]),
            perfettomake.bundle(1, [perfettomake.switch(at(200), 300, "busy", 1, 0, "swapper"), perfettomake.switch(at(250), 0, "swapper", 0, 301, "last")]),
        ]))
    a = run(build, "--force", "90ms", "300ms", path, out)
    cpu = {r["name"]: int(r["cpu"]) for r in rows(program, out, "tasks | select name cpu")}
    return ["status %d" % a.returncode] * (a.returncode != 0) + ["busy: %s ns" % cpu.get("busy")] * (abs(cpu.get("busy", 0) - 100 * ms) > 1000)


def main():
    build, scratch = sys.argv[1:3]
    srcdir = os.environ.get("srcdir", os.path.join(HERE, "..", ".."))
    program = answers.program_of(build)
    tap = Tap()
    odd = os.path.join(scratch, "odd")
    perfettomake.odd(odd)
    names = sorted(n[:-len(".pftrace")] for n in os.listdir(odd))
    for name in names:
        if name not in NOTHING and (name != "zstd" or "USE_ZSTD" in answers.parts_of(build)):
            attempt(tap, "all of " + name, lambda: check_whole(build, program, os.path.join(odd, name + ".pftrace"), os.path.join(scratch, "all")))
    attempt(tap, "kinds of numbers", check_kinds, build, program, scratch)
    attempt(tap, "names of processes", check_names, build, program, os.path.join(srcdir, "demo", "recipes.pftrace.gz"), os.path.join(scratch, "names"))
    attempt(tap, "all of a generated trace", lambda: check_whole(build, program, big(scratch), os.path.join(scratch, "all")))
    attempt(tap, "a part of a generated trace, eleven sources", lambda: check_big(build, program, scratch))
    attempt(tap, "a part as another reader reads it", lambda: check_oracle(build, program, scratch))
    attempt(tap, "a part of asynchronous spans", lambda: check_async(build, program, scratch))
    for style in ("ftrace", "atrace", "tracecmd", "perf"):
        attempt(tap, "scheduler text: " + style, lambda: check_text(build, program, scratch, style))
    attempt(tap, "starts that come again", lambda: check_again(build, scratch))
    attempt(tap, "samples of perf script", lambda: check_perf(build, program, scratch))
    attempt(tap, "chunks of a recording", lambda: check_jfr(build, program, scratch, srcdir))
    attempt(tap, "prefixes and mutants", lambda: check_damage(build, scratch, ("plain", "compact", "counters", "legacy-delta", "sequence-clock")))
    attempt(tap, "what is damaged is left out", lambda: check_damaged_exit(build, program, scratch))
    attempt(tap, "what is cut within a record is told", lambda: check_cut(build, program, scratch, srcdir))
    attempt(tap, "archives", lambda: check_archives(build, program, scratch))
    attempt(tap, "files", lambda: check_files(build, scratch, srcdir))
    tap.end()


main()
