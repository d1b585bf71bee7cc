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

THREADS = "threads | select dump name state idle count pool waiters group"
GROUPS = "identical_stacks | select id threads states names"
NAMES_SHOWN = 4
POOLS = "pools | select dump pool threads idle waiters states"
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
    ("leaked goroutines", goroutines("running", "chan receive (leaked)", "chan receive (nil chan) (leaked), 5 minutes", "chan receive"),
     [("warning", "leaked", 1), ("warning", "leaked", 1)]),
    ("a profile of leaks", "goroutineleak profile: total 4\n3 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:1\n\n1 @ 0x1 0x3\n#\t0x1\tmain.g+0x1\t/a.go:1\n",
     [("warning", "leaked", 3), ("warning", "leaked", 1)]),
    ("a profile of goroutines", "goroutine profile: total 3\n3 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:1\n", []),
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
        p[2] += int(t["waiters"])
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
        if (int(p["threads"]), int(p["idle"]), int(p["waiters"]), told_states(p["states"])) != (n, idle, behind, states):
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
        alone = len(some) == 1 and int(some[0]["count"]) == 1
        for t in some:
            pools[t["name"] if alone else t["pool"]] += int(t["count"])
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


def series(*waiting):
    """Dumps in which so many threads wait for the holder."""
    return java(*[[thread(1, "holder", frames=("app.Work.hold",), lock=("locked", 1))] +
                  [thread(2 + i, "waiter-%d" % i, "BLOCKED", ("app.Work.w%d" % s,), ("waiting to lock", 1)) for i in range(n)]
                  for s, n in enumerate(waiting)])


# Dumps, and what is said about the holder: the finding, and what all dumps together have.
SERIES = (((1,), None, ""), ((2, 0), None, "in 1 of 2 dumps; free in the last dump"),
          ((3, 1, 0), "holder held up 3 threads in 2 of 3 dumps, in app.Work.hold; free in the last dump", "in 2 of 3 dumps; free in the last dump"),
          ((1, 0, 1), "holder held up 1 thread in 2 of 3 dumps, in app.Work.hold", "in 2 of 3 dumps"))


def check_series(program, path):
    """A holder is judged over all dumps: findings, the tree of waits, the overview and the report."""
    bad = []
    for waiting, finding, when in SERIES:
        with open(path, "w", encoding="utf-8") as f:
            f.write(series(*waiting))
        findings, holders, overview = ask(program, path, "findings | where kind = held | select what", "blocked | where newest and depth = 0 | select thread most dumps when",
                                          "overview | where line = 'top blocker'")
        report = program.run(["--no-index", "--report", path]).out
        if [r["what"] for r in findings] != ([finding] if finding else []):
            bad.append("%r: %r" % (waiting, findings))
        want = ("holder", str(max(waiting)), str(sum(n > 0 for n in waiting)), when)
        if [tuple(r.values()) for r in holders] != [want]:
            bad.append("%r: %r instead of %r" % (waiting, holders, want))
        if len(overview) != 1 or not overview[0]["subject"].endswith(when) or (when and when not in report):
            bad.append("%r: %r" % (waiting, overview))
    with open(path, "w", encoding="utf-8") as f:
        f.write(circle() + "\n" + still(1).replace("04:11:00", "04:11:09"))
    deadlocks, overview = ask(program, path, "deadlocks | where newest | select dump when", "overview | where line = deadlock")
    if [tuple(r.values()) for r in deadlocks] != [("1", "not in the last dump")] * 2 or len(overview) != 1 or "not in the last dump" not in overview[0]["subject"]:
        bad.append("deadlock: %r %r" % (deadlocks, overview))
    return bad


def contention():
    """Three dumps: the holder of the first two, or of the last two, is the one with more dumps."""
    def dump(holder):
        return [thread(i, "t-%d" % i, *(("RUNNABLE", ("app.Work.hold",), ("locked", 1)) if i == holder else
                                        ("BLOCKED", ("app.Work.want",), ("waiting to lock", 1)))) for i in range(1, 6)]
    return java(dump(1), dump(4), dump(4)), java(dump(4), dump(4), dump(1)), java(dump(1), dump(1), dump(4))


ANR = ("----- pid 7 at 2025-06-03 10:11:12 -----\nCmd line: a.b\n\nDALVIK THREADS (2):\n\"main\" prio=5 tid=1 Sleeping\n"
       "  at java.lang.Thread.sleep(Native method)\n  - sleeping on <0x048bde26> (a java.lang.Object)\n  at java.lang.Thread.sleep(Thread.java:373)\n"
       "  - locked <0x048bde26> (a java.lang.Object)\n  at a.Main.onClick(Main.kt:13)\n\n"
       "\"pool\" prio=5 tid=2 Blocked\n  at a.B.c(B.java:1)\n  - waiting to lock an unknown object\n\n----- end 7 -----\n")
RWLOCKS = "\n\n".join("goroutine %d [sync.RWMutex.RLock]:\nmain.(*store).read(...)\n\t/src/main.go:%d +0x1" % (i, i) for i in (17, 20, 21)) + "\n"
OOPS = ("BUG: kernel NULL pointer dereference, address: 0000000000000008\nCPU: 3 PID: 1234 Comm: modprobe Not tainted 6.1.0\n"
        "RIP: 0010:bad_func+0x13/0x20 [mymod]\nCall Trace:\n <TASK>\n init_module+0x13/0x1000 [mymod]\n do_one_initcall+0x41/0x210\n </TASK>\n"
        "---[ end trace 0000000000000000 ]---\n")
COREDUMP = ("           PID: 1234 (app)\n        Signal: 6 (ABRT)\n\n                Stack trace of thread 1234:\n"
            "                #0  0x00007f1 __pthread_kill_implementation (libc.so.6 + 0x8b)\n                #1  0x00007f2 raise (libc.so.6 + 0x3c)\n"
            "                #2  0x00007f3 abort (libc.so.6 + 0x26)\n                #3  0x0000055 app_fail (app + 0x11)\n"
            "                #4  0x0000056 main (app + 0x12)\n")
PYTHON = ("Fatal Python error: Segmentation fault\n\nThread 0x00007f22 (most recent call first):\n  File \"/a/b.py\", line 7 in other\n\n"
          "Current thread 0x00007f11 (most recent call first):\n  File \"/a/b.py\", line 2 in f\n  File \"/a/b.py\", line 5 in g\n")
# Text, the sentence, and what Enter on it opens: the row of a thread, or nothing.
SENTENCES = (
    (contention()[0], "4 threads wait for t-4 (running, in app.Work.hold), in 2 of 3 dumps", None),
    (contention()[1], "4 threads wait for t-1 (running, in app.Work.hold), in 1 of 3 dumps", None),
    (contention()[2], "4 threads wait for t-4 (running, in app.Work.hold), in 1 of 3 dumps", None),
    (ANR, "main sleeps, in a.Main.onClick (Main.kt:13)", None),
    (RWLOCKS, "3 goroutines wait for sync.RWMutex; the dump does not name its holder", None),
    (OOPS, "BUG: kernel NULL pointer dereference, address: 0000000000000008, in bad_func (mymod), called by init_module", "1"),
    (COREDUMP, "Signal: 6 (ABRT), in app_fail (app), called by main", "1"),
    (PYTHON, "Fatal Python error: Segmentation fault, in f (b.py:2), called by g", "2"),
)


def check_sentences(program, path):
    """The story of dumps: who blocks most in the newest dump, and where a program crashed; findings know the thread of a crash."""
    bad = []
    for text, want, row in SENTENCES:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        story, reasons = ask(program, path, "overview | where line = story | select subject", "findings | where kind = reason | select row")
        if [r["subject"] for r in story] != [want] or [r["row"] for r in reasons] != ([row] if row else []):
            bad.append("%r, %r instead of %r, %r" % (story, reasons, want, row))
    return bad


def check_lines(program, path):
    """A thread that sleeps on its own object wants no lock; the overview names who waits for a lock without a name."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(ANR)
    threads, main, unknown = ask(program, path, "threads | select name state waits_for known", "overview | where line = 'main thread' | select subject",
                                 "overview | where line = 'holder unknown' | select subject")
    have = [tuple(r.values()) for r in threads], [r["subject"] for r in main], [r["subject"] for r in unknown]
    want = [("main", "sleep", "", ""), ("pool", "blocked", "", "unknown")], ["sleep  in a.Main.onClick (Main.kt:13)"], ["pool, for a lock without a name"]
    return [] if have == want else ["%r instead of %r" % (have, want)]


def check_span(program, path):
    """States last from the middle between two dumps to the next middle; all of them end with the last dump."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(contention()[0])
    rows, = ask(program, path, "tracks | where kind = state and thread = t-1 | select start_wall wall")
    have = [tuple(r.values()) for r in rows]
    return [] if have == [("0", "2000000000")] else [repr(have)]


def check_gil(program, scratch):
    """Compare who waits for the GIL, which only native frames show, and who holds it."""
    path, bad = os.path.join(scratch, "gil.txt"), []
    for text, want in ((PY_SPY % "+gil", [("waiter", "blocked", "GIL", "holder", "found")]),
                       (PY_SPY % "", [("waiter", "blocked", "GIL", "?", "unknown")]),
                       (GDB_GIL, [("#1", "blocked", "GIL", "?", "unknown")])):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        rows, = ask(program, path, "threads | where state = blocked | select name state waits_for holder known")
        have = [tuple(r[k] for k in ("name", "state", "waits_for", "holder", "known")) for r in rows]
        if have != want:
            bad.append("%r instead of %r" % (have, want))
    return bad


def check_first(program, path):
    """Threads against the first dump: gone and back again is the same, another stack is not."""
    places = (("a", "A"), ("b", "B"), ("a", "C"), ("a", "C"))
    with open(path, "w", encoding="utf-8") as f:
        f.write(java(*[[thread(1, "back", frames=("app.%s.f" % back,)), thread(2, "moves", frames=("app.%s.f" % away,))] +
                       ([thread(3, "late")] if i > 0 else []) for i, (back, away) in enumerate(places)]))
    rows, = ask(program, path, "thread_changes | where latest | select thread change since_first")
    have = [(r["thread"], r["change"], r["since_first"]) for r in rows]
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
    attempt(tap, "holders in a series of dumps", check_series, program, os.path.join(argv[2], "series.txt"))
    attempt(tap, "sentences of dumps", check_sentences, program, os.path.join(argv[2], "sentence.txt"))
    attempt(tap, "lines about locks without names", check_lines, program, os.path.join(argv[2], "lines.txt"))
    attempt(tap, "time of states", check_span, program, os.path.join(argv[2], "span.txt"))
    attempt(tap, "the GIL of Python", check_gil, program, argv[2])
    attempt(tap, "processes of Android", check_processes, program, os.path.join(argv[2], "processes.txt"))
    attempt(tap, "moves against the first dump", check_first, program, os.path.join(argv[2], "first.txt"))
    attempt(tap, "two dumps as files to compare", check_diff, program, argv[2])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
