#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""dumprowscheck.py BUILD CORPUS - the loader of stack dumps compared with the slow reader of the corpus, as TAP.

CORPUS/stacks/slowdumps.py reads the files of stacks/data/dumps, stacks/data/edges and trace/jstack a second time; threads, locks,
holders, deadlocks and frames must be equal.
"""
import glob
import os
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from check import Tap  # noqa: E402

STATES = {"sleeping": "sleep", "ended": "dead"}   # words of the slow reader
WANTS = ["", "lock", "wait", "park", "init"]
DAEMON, VIRTUAL = 1, 2
# Files without a thread, which both refuse.
EMPTY = ("only-head.txt",)


def slow_reader(corpus):
    """The module, without running its main."""
    with open(os.path.join(corpus, "stacks", "slowdumps.py"), encoding="utf-8") as f:
        text = f.read()
    module = types.ModuleType("slowdumps")
    exec(compile(text[:text.rindex("\nmain()")], "slowdumps.py", "exec"), module.__dict__)
    return module


def clean(text):
    return text.replace("\t", " ").replace("\n", " ").encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def number(text, unit):
    return round(float(text) * unit) if text else None


def expected(slow, path):
    """Rows of the slow reader: (threads, deadlocks)."""
    dumps, _, _ = slow.read(path)
    threads, told = [], []
    for n, d in enumerate([d for d in dumps if d.threads], 1):
        rows = {id(t): i for i, t in enumerate(d.threads)}
        for t in d.threads:
            holders, how = slow.holders(d, t)
            want = t.want or ("", "", "")
            key = "" if want[1] == "?" else want[1]
            threads.append({
                "dump": n, "name": clean(t.name), "id": clean(t.id), "tid": t.tid or "0", "state": STATES.get(t.state, t.state), "raw": clean(t.raw),
                "want": want[0], "key": clean(key), "class": clean(want[2]),
                "holder": rows[id(holders[0])] if holders else None, "how": how,
                "holds": sorted(clean(k) for k in t.holds), "frames": [tuple(map(clean, f)) for f in t.frames],
                "cpu": number(t.cpu, 1e6), "elapsed": number(t.elapsed, 1e9), "count": t.count,
                "flags": (DAEMON if t.daemon else 0) | (VIRTUAL if t.virtual else 0),
                "queue": t.extra.get("queue", "0")})
        for k, cycle in enumerate(d.told, 1):
            told += [(n, k) + tuple(map(clean, x)) for x in cycle]
    return threads, told


def actual(program, path):
    done = subprocess.run([program, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    threads, told, firsts = [], [], {}
    if done.returncode != 0:
        return None, done.stderr.decode("utf-8", "replace")
    for line in done.stdout.decode("utf-8", "replace").split("\n"):
        f = line.split("\t")
        if f[0] == "T":
            (dump, name, tid, sys_tid, state, raw, want, key, cls, holder, how, _, cpu, elapsed, flags, count, queue, row) = f[1:]
            firsts.setdefault(dump, int(row))
            threads.append({
                "dump": int(dump), "name": name, "id": tid, "tid": sys_tid, "state": state, "raw": raw, "want": WANTS[int(want)],
                "key": key, "class": cls, "holder": int(holder) - firsts[dump] if holder != "0" else None,
                "how": ["", "told", "found", "unknown", "outside"][int(how)], "holds": [], "frames": [],
                "cpu": None if cpu == "-" else int(cpu), "elapsed": None if elapsed == "-" else int(elapsed), "count": int(count),
                "flags": int(flags) & (DAEMON | VIRTUAL), "queue": queue})
        elif f[0] == "H":
            threads[-1]["holds"].append(f[1])
        elif f[0] == "F":
            threads[-1]["frames"].append((f[1], f[2]))
        elif f[0] == "K":
            told.append((int(f[1]), int(f[2])) + tuple(f[3:7]))
    for t in threads:
        t["holds"].sort()
    return threads, told


def same(a, b, k):
    """The slow reader takes the place of an argument of lldb for that of the frame."""
    if k != "frames" or len(a[k]) != len(b[k]):
        return a[k] == b[k]
    return all(x == y or "`" in x[0] for x, y in zip(a[k], b[k]))


def told_by_frames(a, b, k):
    """dotnet-stack shows no states, which the slow reader does not take from frames."""
    return k == "state" and (a[k], b[k]) == ("unknown", "waiting")


def known_better(a, b, k):
    """The slow reader believes a VM that calls its own threads runnable, and that a thread of ART which sleeps wants its object."""
    if k == "state":
        return (a[k], b[k], a["frames"]) == ("running", "native", [])
    return k in ("want", "key", "class") and a["state"] == "sleep" and a["want"] == "wait" and b["want"] == ""


def differences(want, have):
    if len(want) != len(have):
        yield "%d threads instead of %d" % (len(have), len(want))
    for a, b in zip(want, have):
        for k, v in a.items():
            if not same(a, b, k) and not told_by_frames(a, b, k) and not known_better(a, b, k):
                yield "%s of %s in dump %d: %r instead of %r" % (k, a["name"] or a["id"] or a["tid"], a["dump"], b[k], v)


def check_file(tap, slow, program, path):
    name = os.path.basename(path)
    threads, told = actual(program, path)
    if name in EMPTY:
        tap.ok("%s has no threads" % name, [] if threads is None and "without threads" in told else [told])
        return
    if threads is None:
        tap.ok("%s is read" % name, [told])
        return
    want, want_told = expected(slow, path)
    found = list(differences(want, threads))
    if sorted(told) != sorted(want_told):
        found.append("deadlocks: %r instead of %r" % (told, want_told))
    tap.ok("%s: %d threads" % (name, len(want)), found)


def check_corpus(tap, build, corpus):
    if not os.path.exists(os.path.join(corpus, "stacks", "slowdumps.py")):
        return
    slow = slow_reader(corpus)
    program = os.path.join(build, "tests/mk/dumprows")
    for folder in ("stacks/data/dumps", "stacks/data/edges", "trace/jstack"):
        for path in sorted(glob.glob(os.path.join(corpus, folder, "*"))):
            check_file(tap, slow, program, path)


def main(argv):
    tap = Tap()
    check_corpus(tap, *argv[1:])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
