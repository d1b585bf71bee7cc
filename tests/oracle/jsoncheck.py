#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jsoncheck.py BUILD SCRATCH - calls of generated trace events against what was generated, edge cases of them, cut files, as TAP."""
import gzip
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import chromecheck  # noqa: E402
import made  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 25
MARKS = os.path.join(HERE, "..", "fuzz", "corpus", "json", "marks")     # events of all letters


def read(path):
    with open(path, "rb") as f:
        return f.read()


def make(what, path):
    data = read(MARKS) if what == "marks" else made.output("jsonmake.py", what)
    with open(path, "wb") as f:
        f.write(data)
    return data


def check_random(program, path, seed):
    """Every call is there with its thread, start and length."""
    calls = [e for e in json.loads(make("seed=%d" % seed, path))["traceEvents"] if e["ph"] == "X"]
    first = min(round(e["ts"] * 1000) for e in calls)
    want = sorted(("T%d" % e["tid"], e["name"], round(e["ts"] * 1000) - first, round(e["dur"] * 1000)) for e in calls)
    threads, = program.ask(path, "threads", options=("--no-index",)).tables()
    got = []
    for row in threads.rows:
        a = program.ask(path, "spans @" + row["id"], options=("--no-index",))
        got += [(s["thread"], s["method"], int(s["start_wall"]), int(s["wall"])) for s in a.tables()[0].rows]
    return [] if sorted(got) == want else ["%d calls, not %d" % (len(got), len(want))] + \
        [x for x in sorted(got) if x not in want][:4] + [x for x in want if x not in got][:4]


def check_cuts(program, path, what):
    """Cut at every byte: an answer, or one line that says why not; some runs of the program agree.  More bytes never make
    an answer a refusal."""
    data, bad = make(what, path), []
    told = program.tell_cuts(path, path + ".cut")
    if len(told) != len(data) + 1:
        return ["%d lengths reported, not %d" % (len(told), len(data) + 1)]
    first = next(n for n, (code, _) in enumerate(told) if code != 5)
    for n, (code, why) in enumerate(told[:-1]):
        if code not in ((5,) if n < first else (0, 3)) or (code != 0 and why == ""):
            bad.append("byte %d: status %d: %r" % (n, code, why))
        if code == 0 and what not in ("nano", "clock", "marks") and data[n:].strip() not in (b"", b"}"):
            bad.append("byte %d: no loss is reported" % n)
        if n % 20:
            continue
        with open(path, "wb") as f:
            f.write(data[:n])
        a = program.ask(path, "info", options=("--no-index",))
        if a.code != code or (a.code != 0 and len([x for x in a.err.strip().split("\n") if ": showing event " not in x and " samples: --event " not in x]) != 1):
            bad.append("byte %d: status %d, not %d: %r" % (n, a.code, code, a.err))
    return bad


def check_packed(program, path):
    """Where packed data end, it is not the JSON that is damaged."""
    packed = gzip.compress(make("seed=1", path))
    with open(path, "wb") as f:
        f.write(packed[:len(packed) // 2])
    a = program.ask(path, "calls | count", options=("--no-index",))
    return [] if a.code == 3 and "gzip data truncated" in a.err and "JSON" not in a.err else ["status %d: %r" % (a.code, a.err)]


def check_detail(program, scratch):
    """An index that was made with --detail serves no run without it, nor the other way round."""
    path, bad = os.path.join(scratch, "detail.json"), []
    make("called", path)
    for option, want in (("", "get"), ("--detail", "get c"), ("--detail", "get c"), ("", "get"), ("", "get")):
        a = program.ask(path, "methods | where name ~ get | select name", options=["--index", scratch] + [option] * (option != ""))
        if a.out != "name\n%s\n" % want:
            bad.append("%s: %r, %s" % (option, a.out, a.err))
    return bad


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    path = os.path.join(scratch, "made.json")
    sampled.tell()
    for seed in sampled.turns(range(SEEDS)):
        attempt(tap, "random trace events %d" % seed, check_random, program, path, seed)
    for what in ("sampled", "evented", "both", "events", "nano", "cpu", "back", "clock", "marks"):
        attempt(tap, what + ": cut at every byte", check_cuts, program, path, what)
    attempt(tap, "cut while packed", check_packed, program, path)
    attempt(tap, "--detail and the index", check_detail, program, scratch)
    chromecheck.check_made(tap, program, scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
