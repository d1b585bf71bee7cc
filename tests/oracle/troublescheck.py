#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""troublescheck.py BUILD SCRATCH - findings and pools of stack dumps, as TAP.

Dumps just below and just above each threshold show when a finding begins.  For all of them, and for the demo, pools and trees by state, pool
and dump are counted a second time from the rows of threads.
"""
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
from check import Tap, attempt  # noqa: E402

THREADS = "threads | select dump name state idle count pool behind group"
GROUPS = "same_stacks | select id threads states names"
NAMES_SHOWN = 4
POOLS = "pools | select dump pool threads idle behind states"
FOUND = "findings | select dump severity kind threads"
DEMO = os.path.join(HERE, "..", "..", "demo", "hang.log.gz")


def thread(n, name, state="RUNNABLE", frames=("app.Work.run",), lock=None, cpu=1.0):
    word = {"RUNNABLE": "runnable", "BLOCKED": "waiting for monitor entry"}[state]
    out = ['"%s" #%d prio=5 os_prio=0 cpu=%.2fms elapsed=9.00s tid=0x00007f%06x nid=0x%x %s  [0x00007f10]' % (name, n, cpu, n * 64, n + 1, word),
           "   java.lang.Thread.State: " + state + (" (on object monitor)" if state == "BLOCKED" else "")]
    for i, f in enumerate(frames):
        out.append("\tat %s(Work.java:%d)" % (f, 10 + i))
        if i == 0 and lock:
            out.append("\t- %s <0x00000000000%05x> (a app.Lock)" % lock)
    return out + [""]


def java(*dumps):
    """A log of dumps, a second apart."""
    out = []
    for s, threads in enumerate(dumps):
        out += ["2026-03-02 04:11:%02d" % s, "Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):", ""]
        out += [line for t in threads for line in t] + ["JNI global refs: 9, weak refs: 0", ""]
    return "\n".join(out)


def convoy(waiting, others=0):
    """A thread that holds a lock, those that want it, and others, each at a place of its own."""
    return java([thread(1, "holder", lock=("locked", 1))] +
                [thread(2 + i, "waiter-%d" % i, "BLOCKED", ("app.Work.w%d" % i,), ("waiting to lock", 1)) for i in range(waiting)] +
                [thread(500 + i, "other-%d" % i, frames=("app.Other.f%d" % i,)) for i in range(others)])


def still(dumps, cpu=0.0):
    """One thread with the same stack in all dumps."""
    return java(*[[thread(1, "hot", cpu=1 + cpu * i), thread(2, "b", frames=("app.Other.f%d" % i,))] for i in range(dumps)])


def circle():
    return java([thread(1, "a", "BLOCKED", ("app.A.run",), ("waiting to lock", 2))[:-1] + ["\t- locked <0x0000000000000001> (a app.Lock)", ""],
                 thread(2, "b", "BLOCKED", ("app.B.run",), ("waiting to lock", 1))[:-1] + ["\t- locked <0x0000000000000002> (a app.Lock)", ""]])


def goroutines(*states):
    return "\n\n".join("goroutine %d [%s]:\nmain.f%d(...)\n\t/src/main.go:%d +0x1" % (i + 1, s, i, i + 9) for i, s in enumerate(states)) + "\n"


# Kind of the finding that a dump itself reports, its threads, and the dump.  The last ones were asked for.
TOLD = (
    ("deadlock", 1, "fatal error: all goroutines are asleep - deadlock!\n\n" + goroutines("select")),
    ("reason", 1, "panic: boom\n\tpanic: again\n\n" + goroutines("running")),
    ("reason", 2, goroutines("running") + "\nfatal error: concurrent map writes\n\n" + goroutines("running", "select")),
    ("reason", 1, "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f11 (most recent call first):\n  File \"/a/b.py\", line 2 in f\n"),
    ("reason", 1, "Subject: Input dispatching timed out\n\n----- pid 7 at 2025-06-03 10:11:12 -----\nCmd line: a.b\n\nDALVIK THREADS (1):\n"
     "\"main\" prio=5 tid=1 Runnable\n  at a.B.c(B.java:1)\n\n----- end 7 -----\n"),
    ("reason", 1, "0SECTION       TITLE subcomponent dump routine\n1TISIGINFO     Dump Event \"systhrow\" (00040000) Detail \"java/lang/OutOfMemoryError\" "
     "received\n0SECTION       THREADS subcomponent dump routine\n1XMTHDINFO     Thread Details\n"
     "3XMTHREADINFO      \"main\" J9VMThread:0x1, state:R, prio=5\n4XESTACKTRACE                at a/B.c(B.java:1)\n"),
    ("reason", 1, "INFO: task a:7 blocked for more than 120 seconds.\ntask:a state:D stack:0 pid:7 tgid:7 ppid:2\nCall Trace:\n schedule+0x1/0x2\n"
     "INFO: task b:8 blocked for more than 120 seconds.\n"),
    ("reason", 1, "=erl_crash_dump:0.5\nTue Jun 3 10:11:12 2025\nSlogan: no more memory\n=proc:<0.1.0>\nState: Running\n"),
    ("reason", 1, "[New LWP 7]\nProgram terminated with signal SIGABRT, Aborted.\nThread 1 (LWP 7):\n#0  0x0000000000000001 in f () at a.c:1\n"),
    ("reason", 1, '{"header": {"event": "Allocation failed", "trigger": "FatalError", "processId": 7}, "javascriptStack": {"message": "", "stack": ["at f (/a.js:1:2)"]}}'),
    (None, 0, '{"header": {"event": "JavaScript API", "trigger": "GetReport", "processId": 7}, "javascriptStack": {"message": "", "stack": ["at f (/a.js:1:2)"]}}'),
    (None, 0, "SIGQUIT: quit\n\n" + goroutines("running")),
)


def equal(n):
    return java([thread(1 + i, "worker-%d" % i) for i in range(n)] + [thread(900, "main", frames=("app.Main.main",))])


# Text, and the findings of its last dump.
CASES = (
    ("4 threads behind a holder", convoy(4), []), ("5 threads behind a holder", convoy(5), [("warning", "convoy", 5)]),
    ("5 of 51 threads behind a holder", convoy(5, 45), []), ("5 of 50 threads behind a holder", convoy(5, 44), [("warning", "convoy", 5)]),
    ("9 equal stacks", equal(9), []), ("10 equal stacks", equal(10), [("note", "group", 10)]),
    ("the same stack in 2 dumps", still(2), []), ("the same stack in 3 dumps", still(3), [("note", "stuck", 1)]),
    ("49% of a CPU", still(2, 494.0), []), ("50% of a CPU", still(2, 501.0), [("note", "busy", 1)]),
    ("equal stacks of 6 pools", java([thread(1 + i, "%s-%d" % ("abcdef"[i // 2], i)) for i in range(12)]), [("note", "group", 12)]),
    ("a circle of two threads", circle(), [("warning", "deadlock", 2)]),
    *(("what a dump says, %d" % i, text, [("warning", kind, n)] if kind else []) for i, (kind, n, text) in enumerate(TOLD)),
    ("goroutines that wait forever", goroutines("running", "select (no cases)", "chan receive (nil chan)", "chan receive"),
     [("warning", "forever", 1), ("warning", "forever", 1)]),
)


def ask(program, path, *queries):
    a = program.ask(path, *queries, options=("--no-index",))
    if a.code not in (0, 1):         # 1: no rows
        raise ValueError(a.err)
    return [t.rows for t in a.tables()]


def check_findings(program, path, want):
    rows, = ask(program, path, FOUND + " | where dump > 0")
    last = max((r["dump"] for r in ask(program, path, "thread_dumps | select dump")[0]), key=int)
    have = [(r["severity"], r["kind"], int(r["threads"])) for r in rows if r["dump"] == last]
    return [] if have == want else ["%r instead of %r" % (have, want)]


def told_states(text):
    return collections.Counter({w: int(c) for w, c in re.findall(r"(\w+) (\d+)", text)})


def count_pools(threads):
    """Pools by dump, from threads: threads, idle ones, those behind, and states."""
    pools = collections.defaultdict(lambda: [0, 0, 0, collections.Counter()])
    for t in threads:
        p, n = pools[t["dump"], t["pool"]], int(t["count"])
        p[0] += n
        p[1] += n if t["idle"] == "true" else 0
        p[2] += int(t["behind"])
        p[3][t["state"]] += n
    return pools


def check_pools(program, path):
    threads, pools = ask(program, path, THREADS, POOLS)
    want, bad = count_pools(threads), []
    have = {(p["dump"], p["pool"]): p for p in pools}
    if set(have) != set(want) or len(have) != len(pools):
        bad.append("pools: %r instead of %r" % (sorted(have), sorted(want)))
    for k in set(have) & set(want):
        p, (n, idle, behind, states) = have[k], want[k]
        if (int(p["threads"]), int(p["idle"]), int(p["behind"]), told_states(p["states"])) != (n, idle, behind, states):
            bad.append("%r: %r" % (k, p))
    sizes = [(int(p["dump"]), -int(p["threads"])) for p in pools]
    return bad + ([] if sizes == sorted(sizes) else ["not by dump and size"])


def check_groups(program, path):
    """States and names of groups of equal stacks: the first names, and how many others."""
    threads, groups = ask(program, path, THREADS, GROUPS)
    bad = []
    for g in groups:
        some = [t for t in threads if t["group"] == g["id"]]
        pools, states = collections.Counter(), collections.Counter()
        for t in some:
            pools[t["pool"]] += int(t["count"])
            states[t["state"]] += int(t["count"])
        shown = list(pools.items())[:NAMES_SHOWN]
        names = [k + (" x%d" % n if n > 1 else "") for k, n in shown]
        others = sum(pools.values()) - sum(n for _, n in shown)
        names += ["%d others" % others] if others else []
        if (g["names"], told_states(g["states"])) != (", ".join(names), states):
            bad.append("%r instead of %r, %r" % (g, names, states))
    return bad


def check_trees(program, path):
    """The weights of trees by state, pool and dump, of all dumps and of each one, are the numbers of threads."""
    threads, = ask(program, path, THREADS)
    dumps, bad = sorted({int(t["dump"]) for t in threads}), []
    for only in [None] + dumps + ["last"]:
        stage = "" if only is None else " | dump %s" % only
        some = [t for t in threads if only is None or int(t["dump"]) == (dumps[-1] if only == "last" else only)]
        for per, key in (("state", lambda t: t["state"]), ("pool", lambda t: t["pool"]), ("dump", lambda t: "dump " + t["dump"])):
            rows, = ask(program, path, "calls%s | per %s | where depth = 0 | group thread : sum total as total" % (stage, per))
            want = collections.Counter()
            for t in some:
                want[key(t)] += int(t["count"])
            have = {r["thread"]: int(r["total"]) for r in rows}
            if have != want:
                bad.append("%s%s: %r instead of %r" % (per, stage, have, dict(want)))
    return bad


PY_SPY = """Process 7: python3 a.py
Python v3.11.7 (/usr/bin/python3.11)

Thread 7 (active%s): "holder"
    work (a.py:3)
Thread 8 (idle): "waiter"
    pthread_cond_timedwait (libc.so.6)
    take_gil (libpython3.11.so.1.0)
    work (a.py:3)
Thread 9 (active): "busy"
    work (a.py:3)
"""
GDB_GIL = """Thread 1 (LWP 7):
#0  0x0000000000000001 in pthread_cond_timedwait () from libc.so.6
#1  0x0000000000000002 in take_gil (tstate=0x1) at ceval_gil.h:231
"""


def check_gil(program, scratch):
    """Compare who waits for the GIL, which only native frames show, and who holds it."""
    path, bad = os.path.join(scratch, "gil.txt"), []
    for text, want in ((PY_SPY % "+gil", [("waiter", "blocked", "GIL", "holder", "found")]),
                       (PY_SPY % "", [("waiter", "blocked", "GIL", "?", "unknown")]),
                       (GDB_GIL, [("#1", "blocked", "GIL", "?", "unknown")])):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        rows, = ask(program, path, "threads | where state = blocked | select name state wants held_by known")
        have = [tuple(r[k] for k in ("name", "state", "wants", "held_by", "known")) for r in rows]
        if have != want:
            bad.append("%r instead of %r" % (have, want))
    return bad


def check_first(program, path):
    """Threads against the first dump: gone and back again is the same, another stack is not."""
    places = (("a", "A"), ("b", "B"), ("a", "C"), ("a", "C"))
    with open(path, "w", encoding="utf-8") as f:
        f.write(java(*[[thread(1, "back", frames=("app.%s.f" % back,)), thread(2, "moves", frames=("app.%s.f" % away,))] +
                       ([thread(3, "late")] if i > 0 else []) for i, (back, away) in enumerate(places)]))
    rows, = ask(program, path, "moves | where latest | select thread move since_first")
    have = [(r["thread"], r["move"], r["since_first"]) for r in rows]
    want = [("back", "same", "same"), ("moves", "same", "moved"), ("late", "same", "new")]
    return [] if have == want else ["%r instead of %r" % (have, want)]


def check_processes(program, path):
    """Android writes the process that does not respond first: lists are about it."""
    dump = ("----- pid %d at 2025-06-03 10:11:12 -----\nCmd line: a.b\n\nDALVIK THREADS (1):\n\"%s\" prio=5 tid=1 Runnable\n"
            "  at a.B.c(B.java:1)\n\n----- end %d -----\n\n")
    bad = []
    for pids, want in (((7, 8, 9), "1"), ((7, 7, 9), "2"), ((7, 8, 7), "3"), ((7, 7), "2")):
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join(dump % (p, "main", p) for p in pids))
        rows, = ask(program, path, "thread_dumps | where latest | select dump")
        if [r["dump"] for r in rows] != [want]:
            bad.append("%r: %r instead of %s" % (pids, rows, want))
    return bad


def check_diff(program, scratch):
    """Two files that are not a series: methods, pools and stacks before and after."""
    paths = []
    for name, text in (("before", convoy(5)), ("after", equal(10))):
        paths.append(os.path.join(scratch, name + ".txt"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(text)
    a = program.run(["--no-index", "--as", "stacks", "-e", "methods | diff | where self_delta != 0 | select name self_before self | sort name",
                     "-e", "pools | diff pool | select pool threads_before threads change | sort pool", *paths])
    if a.code != 0:
        return [a.err]
    methods, pools = (t.rows for t in a.tables())
    want = {"app.Work.run": ("1", "10"), "app.Main.main": ("0", "1"), **{"app.Work.w%d" % i: ("1", "0") for i in range(5)}}
    have = {r["name"]: (r["self_before"], r["self"]) for r in methods}
    bad = [] if have == want else ["methods: %r instead of %r" % (have, want)]
    have = {r["pool"]: (r["threads_before"], r["threads"], r["change"]) for r in pools}
    want = {"holder": ("1", "", "removed"), "waiter-*": ("5", "", "removed"), "worker-*": ("", "10", "added"), "main": ("", "1", "added")}
    return bad + ([] if have == want else ["pools: %r instead of %r" % (have, want)])


def main(argv):
    tap, program = Tap(), answers.program_of(argv[1])
    for i, (name, text, want) in enumerate(CASES):
        path = os.path.join(argv[2], "dump%d.txt" % i)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        attempt(tap, "findings: " + name, check_findings, program, path, want)
        attempt(tap, "pools: " + name, check_pools, program, path)
        attempt(tap, "groups: " + name, check_groups, program, path)
    attempt(tap, "pools: the demo", check_pools, program, DEMO)
    attempt(tap, "groups: the demo", check_groups, program, DEMO)
    attempt(tap, "trees: the demo", check_trees, program, DEMO)
    attempt(tap, "the GIL of Python", check_gil, program, argv[2])
    attempt(tap, "processes of Android", check_processes, program, os.path.join(argv[2], "processes.txt"))
    attempt(tap, "moves against the first dump", check_first, program, os.path.join(argv[2], "first.txt"))
    attempt(tap, "two dumps as files to compare", check_diff, program, argv[2])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
