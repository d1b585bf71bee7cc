#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""sidecheck.py BUILD SCRATCH - names from other files against the slow reader side.py, as TAP."""
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import side  # noqa: E402
import sidemake  # noqa: E402
from check import Tap, attempt  # noqa: E402

THREAD_COLS = "threads | select tid name named_by state earlier top"
NAMES = ["main", "dw-17", "C2 CompilerThread0", "C2 CompilerThread1", "Signal Catcher", "a \"b\" c", "x", "pool-1-thread-7",
         "exactly15bytes!", "exactly15bytes! and more", "name #3", "#4", "with prio=5 in it", "\u00e9t\u00e9", ""]
FRAMES = ["java.lang.Object.wait(Native Method)", "java.base@17.0.1/java.lang.Thread.sleep(Native Method)", "app//shop.Main.run(Main.java:3)",
          "shop.Main$$Lambda$14/0x0000000800c03000.run(Unknown Source)", "shop.Main$$Lambda/1828972342.get(Unknown Source)",
          "loader/shop@1.0/shop.Cart.add(Cart.java)", "a.b.C.<init>(C.java:1)", "a.b.C.d()"]
STATES = ["runnable", "waiting on condition", "in Object.wait()", "sleeping"]


# ---- threads -------------------------------------------------------------------------

def random_dump(r, tids):
    lines = ["2024-03-27 10:00:00", "Full thread dump X (1):", ""]
    for tid in r.sample(tids, r.randrange(len(tids) + 1)) + r.choices(tids, k=r.randrange(3)):
        name, kind = r.choice(NAMES), r.randrange(6)
        state = r.choice(STATES)
        head = '"%s" ' % name
        if kind == 0:
            lines.append(head + "prio=1 tid=0x08 nid=0x%x %s [0x1..0x2]" % (tid, state))
        elif kind == 1:
            lines.append(head + "#%d daemon prio=5 os_prio=0 tid=0x7 nid=0x%X %s [0x5]" % (r.randrange(99), tid, state))
            lines.append("   java.lang.Thread.State: WAITING (parking)")
        elif kind == 2:
            lines.append(head + "#7 [%d] daemon prio=5 cpu=1ms tid=0x3 nid=%d %s  [0x9]" % (tid, tid, state))
            lines.append("\tat a.b.C.run(C.java:3)")
        elif kind == 3:
            lines.append(head + "#8 [%d] prio=5 tid=0x3  [0x000000016]" % tid)
            lines.append("   Carrying virtual thread #9")
        elif kind == 4:
            lines.append(head + "- Thread t@%d" % r.randrange(300))
            lines.append("   java.lang.Thread.State: RUNNABLE")
        else:
            lines.append(head + "#21 [%d] virtual" % tid)
        for f in r.choices(FRAMES, k=r.randrange(4)):
            lines += ["\tat " + f, "\t- waiting on <0x1> (a java.lang.Object)"]
        lines.append("")
    lines += ["Found one Java-level deadlock:", "====", '"main":', "  waiting to lock monitor 0x1", "", ""]
    return "\n".join(lines)


def unquoted(row):
    return tuple(answers.fit(x) for x in row)


def check_threads(program, scratch, seed):
    r = random.Random(seed)
    tids = r.sample(range(1, 60000), 8)
    listed = [(t, r.choice(["java", "main", "C2 CompilerThre", "exactly15bytes!", "dw-17", "x"])) for t in tids]
    trace, dumps = os.path.join(scratch, "t.trace"), []
    with open(trace, "wb") as f:
        f.write(sidemake.trace(listed, sidemake.METHODS, sidemake.spans(tids, 0x10)))
    rows, dump, options = [], 0, ["--no-index"]
    for i in range(r.randrange(1, 4)):
        text = "\n".join(random_dump(r, tids) for _ in range(r.randrange(1, 4)))
        dumps.append(os.path.join(scratch, "dump%d" % i))
        if r.randrange(4) == 0:
            data = text.replace("\n", "\r\n").encode(r.choice(["utf-16", "utf-16-le", "utf-8-sig"]))
        else:
            data = text.encode()
        with open(dumps[-1], "wb") as f:
            f.write(data)
        options += ["--threads", dumps[-1]]
        more, dump, _ = side.read_dump(text, dump)
        rows += more
    a = program.ask(trace, THREAD_COLS, "info", options=options)
    if a.code != 0:
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    got, info = a.tables()
    want = side.join(rows, listed)
    bad = []
    for (tid, _), w, g in zip(listed, want, got.rows):
        g = tuple(g[c] for c in ("name", "name_source", "state", "former_names", "top"))
        if unquoted(w) != g:
            bad.append("%d: %s, should be %s" % (tid, g, w))
    facts = {x["field"]: x["value"] for x in info.rows}
    known = side.names(rows)
    for key, value in (("dumps", dump), ("rows", len(rows)), ("threads", len(known)),
                       ("no_tid", sum(x.tid is None for x in rows)),
                       ("conflicts", sum(x[3] for x in known.values())),
                       ("reused", sum(x[4] for x in known.values())),
                       ("joined", sum(x[1] != "file" for x in want))):
        if facts["side." + key] != str(value):
            bad.append("side.%s %s, should be %d" % (key, facts["side." + key], value))
    return bad


# ---- waits ---------------------------------------------------------------------------

def story(r, tids):
    """A scheduler trace of one CPU: its text, and of each sleep that ends (tid, when): (section, section around).

    A section that never ends lasts to the end of the trace."""
    lines, want, open_, sleeps, now = [], {}, {t: [] for t in tids}, {}, 1000     # us
    event = "%16s-%-6d (%5d) [000] d..2 %5d.%06d: %s"

    def say(comm, tid, text):
        lines.append(event % (comm, tid, tid, now // 1000000, now % 1000000, text))
    for tid in r.choices(tids, k=12 * len(tids)):
        now += r.randrange(1, 50) if lines else 0
        say("<idle>", 0, "sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
            "next_comm=t%d next_pid=%d next_prio=120" % (tid, tid))
        if tid in sleeps:
            at, sections = sleeps.pop(tid)
            want[tid, at] = sections
        for _ in range(r.randrange(4)):
            now += r.randrange(1, 50)
            if open_[tid] and r.randrange(2):
                open_[tid].pop()
                say("t%d" % tid, tid, "tracing_mark_write: E|%d" % tid)
            else:
                open_[tid].append("part %d" % r.randrange(9))
                say("t%d" % tid, tid, "tracing_mark_write: B|%d|%s" % (tid, open_[tid][-1]))
        now += r.randrange(1, 50)
        say("t%d" % tid, tid, "sched_switch: prev_comm=t%d prev_pid=%d prev_prio=120 prev_state=S ==> "
            "next_comm=swapper/0 next_pid=0 next_prio=120" % (tid, tid))
        sleeps[tid] = (1000 * now - 1000000, tuple((["", ""] + open_[tid])[:-3:-1]))
    return "# tracer: nop\n#\n" + "\n".join(lines) + "\n", want


def differing(program, path, dump, rows, tids, want):
    """threads and waits of the story with the names and frames of the dump."""
    a = program.ask(path, "threads | select id tid top", "waits | where state = sleep | select thread_id start_wall waiting_in caller",
                    options=("--no-index", "--threads", dump))
    if a.code not in (0, 1):
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    threads, waits = a.tables()
    of, bad = {x["id"]: int(x["tid"]) for x in threads.rows}, []
    frames = dict(zip(tids, (answers.fit(x[4]) for x in side.join(rows, [(t, "t%d" % t) for t in tids]))))
    bad += ["%d: top %r, should be %r" % (of[x["id"]], x["top"], frames[of[x["id"]]]) for x in threads.rows
            if of[x["id"]] in frames and x["top"] != frames[of[x["id"]]]]
    got = {(of[x["thread_id"]], int(x["start_wall"])): (x["waiting_in"], x["caller"]) for x in waits.rows}
    for key, (section, around) in want.items():
        should = (section or frames[key[0]], around)
        bad += [] if got.get(key) == should else ["%s: waits in %r, should be %r" % (key, got.get(key), should)]
    return bad[:5]


def check_waits(program, scratch, seed):
    r = random.Random(seed)
    tids = r.sample(range(100, 60000), 6)
    path, dump = os.path.join(scratch, "sched.txt"), os.path.join(scratch, "dump")
    text, want = story(r, tids)
    with open(path, "w") as f:
        f.write(text)
    text = random_dump(r, tids)
    with open(dump, "w") as f:
        f.write(text)
    return differing(program, path, dump, side.read_dump(text)[0], tids, want)


# ---- mapping files --------------------------------------------------------------------

def random_mapping(r):
    """The text, and methods (class, name, signature, line) of which most are in it."""
    short = ["a", "b", "c", "d"]
    classes = {"p.%s" % s: "com.app.%s%d" % (s.upper() * 3, i) for i, s in enumerate(short)}
    words = list(classes.values()) + ["int", "boolean", "java.lang.String", "long[]"]
    back = {v: k for k, v in classes.items()}
    letters = {"int": "I", "boolean": "Z", "void": "V", "long[]": "[J"}
    code = lambda w: letters[w] if w in letters else "L%s;" % back.get(w, w).replace(".", "/")
    lines, methods = ["# compiler: R8", "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}"], []
    for now, before in classes.items():
        lines.append("%s -> %s:" % (before, now))
        at = 1
        for k in range(r.randrange(12)):
            name, old = r.choice(short), "method%d" % r.randrange(8)
            args, result = r.choices(words, k=r.randrange(3)), r.choice(words + ["void"])
            body = "%s %s(%s)" % (result, old, ",".join(args))
            kind = r.randrange(4)
            if kind == 0:
                lines.append("    %s -> %s" % (body, name))
            else:
                span = "%d:%d:" % (at, at + 4)
                if kind == 2:
                    lines.append("    %svoid com.app.Inlined.x():9:9 -> %s" % (span, name))
                lines.append("    %s%s:%d:%d -> %s" % (span, body, at + 100, at + 104, name))
                at += r.choice([0, 5, 10])
            if r.randrange(3):
                methods.append((now, name, "(%s)%s" % ("".join(map(code, args)), code(result)),
                                r.choice([0, at, at + 3])))
        lines.append("    int field -> a")
    for now in list(classes) + ["p.none"]:
        methods.append((now, r.choice(short), "()V", 0))
    return "\n".join(lines) + "\n", methods


def check_mapping(program, scratch, seed):
    r = random.Random(seed)
    text, methods = random_mapping(r)
    trace, path = os.path.join(scratch, "m.trace"), os.path.join(scratch, "m.map")
    listed = [(16 + 4 * i, "%s\t%s\t%s\tX.java\t%d" % m) for i, m in enumerate(methods)]
    with open(trace, "wb") as f:
        f.write(sidemake.trace([(100, "main")], listed, sidemake.spans([100] * 3, 16)))
    with open(path, "w") as f:
        f.write(text.replace("\n", "\r\n") if r.randrange(3) == 0 else text)
    a = program.ask(trace, "methods | select method obfuscated", options=("--no-index", "--mapping", path))
    if a.code != 0:
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    known, bad = side.read_mapping(text), []
    for m, g in zip(methods, a.tables()[0].rows):
        want = side.retrace(known, *m)
        raw = "%s.%s" % m[:2]
        if g["method"] != want or g["obfuscated"] != (raw if raw != want else ""):
            bad.append("%s: %s (%s), should be %s" % (m, g["method"], g["obfuscated"], want))
    return bad


# ---- real files ----------------------------------------------------------------------------

def read_text(path):
    with open(path, "rb") as f:
        data = f.read()
    return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-8", "replace")


def check_frames(program, folder, name, scratch):
    """The threads of the dump, as a scheduler trace might have met them."""
    rows = side.read_dump(read_text(os.path.join(folder, name)))[0]
    tids = sorted(side.names(rows))
    if not tids:
        return []
    path = os.path.join(scratch, "sched.txt")
    text, want = story(random.Random(1), tids)
    with open(path, "w") as f:
        f.write(text)
    return differing(program, path, os.path.join(folder, name), rows, tids, want)


def check_real(program, folder, name, facts, trace):
    path = os.path.join(folder, name)
    text = read_text(path)
    rows, dump, _ = side.read_dump(text)
    a = program.ask(trace, "info", options=("--no-index", "--threads", path))
    if a.code != 0:
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    got = {r["field"]: r["value"] for r in a.tables()[0].rows}
    quoted = len(re.findall(r'^"', text, re.M))
    ended = len(re.findall(r'^".*":', text, re.M))
    known = side.names(rows)
    wants = [("rows", len(rows)), ("rows", quoted - ended), ("dumps", dump), ("threads", len(known)),
             ("no_tid", sum(r.tid is None for r in rows)),
             ("deadlocks", len(re.findall(r"^Found one Java-level deadlock", text, re.M)))]
    if facts.get("quoted_lines", "0") != "0":
        wants += [("rows", int(facts["quoted_lines"]) - ended)]
        wants += [("deadlocks", int(facts["deadlock_found"]))]
    if facts.get("dumps", "0") != "0":
        wants += [("dumps", int(facts["dumps"]))]
    nids = int(facts.get("nid_hex", 0)) + int(facts.get("nid_dec", 0))
    if nids > int(got["side.rows"]) - int(got["side.no_tid"]):
        return ["%d lines with nid, %s with ids" % (nids, got["side.rows"])]
    return ["side.%s %s, should be %d" % (k, got["side." + k], v) for k, v in wants if got["side." + k] != str(v)]


def check_corpus(tap, program, folder, name, facts):
    with tempfile.NamedTemporaryFile(suffix=".trace") as trace:
        trace.write(sidemake.trace([(1, "main")], sidemake.METHODS, sidemake.spans([1], 0x10)))
        trace.flush()
        attempt(tap, name + ": threads", check_real, program, folder, name, facts, trace.name)
    with tempfile.TemporaryDirectory() as scratch:
        attempt(tap, name + ": frames and waits", check_frames, program, folder, name, scratch)


def check_named(tap, program, folder):
    """A profile and a thread dump, joined: the dump of JDK 8 and that of JDK 21."""
    want = os.path.join(folder, "named.expect.folded")
    if not os.path.exists(want):
        return
    with open(want) as f:
        lines = sorted(f.read().splitlines())
    for jdk in ("8", "21"):
        a = program.run(["--no-index", "--threads", os.path.join(folder, "named.jstack%s.txt" % jdk), "-e", "calls",
                         "-o", "folded", os.path.join(folder, "named.perf.txt")])
        # The expected file has names as stackcollapse-perf.pl cuts them: "a/b/C:::run".
        got = sorted(line.replace("_[j]", "") for line in a.out.splitlines())
        plain = sorted(re.sub(r"(?<=;)[^; ]*:::", lambda m: m[0][:-3].replace("/", ".") + ".", line) for line in lines)
        tap.ok("edges/named: with the dump of JDK " + jdk, [] if got == plain else [got, plain])


BESIDE = """Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):

"a worker of many letters" #1 prio=5 os_prio=0 cpu=1.0ms elapsed=1.0s tid=0x00007f0001 nid=%#x runnable  [0x00007f01]
   java.lang.Thread.State: RUNNABLE
\tat Main.one(Main.java:10)

"""


def check_beside(program, scratch):
    """The dump that icecore record cpu writes beside the samples names their threads; an option goes first."""
    path = os.path.join(scratch, "beside.txt")
    files = {path: "java 100/101 [000] 1.000000: 10 cpu-clock: \n\t    7f00 Main.one (/tmp/x)\n\n" * 3, path + ".threads.txt": BESIDE % 101,
             os.path.join(scratch, "own.txt"): "101 own\n"}
    for name, text in files.items():
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
    bad = []
    for options, want in (([], "a worker of many letters"), (["--threads", os.path.join(scratch, "own.txt")], "own")):
        got = program.run(["--no-index", *options, "-o", "tsv", "-e", "threads | select name", path]).out.split("\n")[1:-1]
        bad += [] if got == [want] else ["%s: %s, not %s" % (options, got, want)]
    return bad


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for seed in range(40):
        attempt(tap, "threads, seed %d" % seed, check_threads, program, scratch, seed)
        attempt(tap, "waits, seed %d" % seed, check_waits, program, scratch, seed)
    for seed in range(40):
        attempt(tap, "mapping, seed %d" % seed, check_mapping, program, scratch, seed)
    attempt(tap, "a thread dump beside samples", check_beside, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
