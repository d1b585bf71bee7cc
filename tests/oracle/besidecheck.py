#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""besidecheck.py BUILD SCRATCH - tables beside traces against a slow model, and all pairs of two kinds of file.

A random scheduler trace has one thread that waits at random times; a random table says how long a queue was.  The model looks up every
value for every wait, nanosecond-exact in rationals.
"""
import datetime
import gzip
import json
import os
import random
import shutil
import sys
from fractions import Fraction

import answers
import tap
from tap import check

START = 5000 * 10 ** 9      # ns: the clock of the trace at its first event
END = 10 ** 9


def trace(r):
    """The text, and the waits of thread 7: (from, to) in ns since the start."""
    text, waits, now = ["# tracer: nop"], [], 0
    line = "%16s [000] d..3 %d.%06d: sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=120"
    both = [("work", 7), ("<idle>", 0)]
    while now < END:
        k = len(text) % 2
        at = START + now
        (a, x), (b, y) = both[k], both[1 - k]
        text.append(line % ("%s-%d" % (a, x), at // 10 ** 9, at // 1000 % 10 ** 6, a, x, "S" if x else "R", b, y))
        if x == 7:
            waits.append(now)
        elif waits:
            waits[-1] = (waits[-1], now)
        now += 1000 * r.randrange(1, 60000)
    return "\n".join(text) + "\n", [w for w in waits if isinstance(w, tuple)], at - START


def spell(r, ns, form):
    """Text of a time of the table, for ns since the start of the trace."""
    if form == "ts_ms":
        return "%d.%06d" % (ns // 10 ** 6, ns % 10 ** 6)
    if form == "clock":
        ns += START
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    return "%s%d.%09d" % (sign, ns // 10 ** 9, ns % 10 ** 9)


def table(r, form, length):
    """(text, name, [(time, value)], untimed)."""
    rows, lines, untimed, kind = [], [], 0, r.choice(["csv", "tsv", "jsonl"])
    names = [form, "host", "depth"]
    for _ in range(r.randrange(2, 60)):
        at = r.randrange(0 if form == "ts_ms" else -length // 4, length * 5 // 4)
        value = Fraction(r.randrange(-500, 5000), 100)
        if r.randrange(8) == 0:
            untimed += 1
            lines.append(["?", "x", "1"])
            continue
        rows.append((at, value, len(rows)))
        lines.append([spell(r, at, form), "h", "%.2f" % float(value)])
    if all(not 0 <= t <= length for t, _, _ in rows):
        rows.append((length // 2, Fraction(1), len(rows)))
        lines.append([spell(r, length // 2, form), "h", "1.00"])
    if kind == "jsonl":
        text = "".join(json.dumps(dict(zip(names, line))) + "\n" for line in lines)
    else:
        sep = "," if kind == "csv" else "\t"
        text = "".join(sep.join(line) + "\n" for line in [names] + lines)
    rows.sort(key=lambda x: (x[0], x[2]))
    return text, kind, [(t, v) for t, v, _ in rows], untimed


def mean(rows, a, b, offset, length):
    """The mean of the value over [a, b], as far as it is known; the maximum; None: nothing is known."""
    area, known, most = Fraction(0), 0, None
    points = [(max(t + offset, 0), v) for t, v in rows if t + offset <= length]
    for i, (t, v) in enumerate(points):
        end = points[i + 1][0] if i + 1 < len(points) else length
        x, y = max(t, a), min(end, b)
        if y > x:
            area += v * (y - x)
            known += y - x
            most = v if most is None or v > most else most
    return (area / known if known else None), known, most


def story(program, scratch, seed):
    r = random.Random(seed)
    text, waits, length = trace(r)
    path = os.path.join(scratch, "sched%d.txt" % seed)
    form = r.choice(["ts", "ts_ms", "clock"])
    rows_text, kind, rows, untimed = table(r, form, length)
    beside = os.path.join(scratch, "depth%d.%s" % (seed, kind))
    offset = r.choice([0, 0, 1000 * r.randrange(-length // 8000, length // 8000)])
    for name, data in ((path, text), (beside, rows_text)):
        with open(name, "w") as f:
            f.write(data)
    if all(not 0 <= t + offset <= length for t, _ in rows):
        offset = 0
    options = ["--no-index"] + ["--offset=%s%d.%09ds" % ("-" if offset < 0 else "", abs(offset) // 10 ** 9, abs(offset) % 10 ** 9)]
    options += ["--time", form] if r.randrange(2) else []
    files = r.choice([[path, beside], [beside, path], ["--tracks", beside, path]])
    a = program.run(options + ["-o", "tsv", "-e", "waits | where thread_id = 1 | during metrics | where track = depth", "-e",
                               "info | where field ~ tracks", "-e", "waits | where thread_id = 1 | count"] + files)
    if a.code != (3 if untimed else 0):
        return ["exit status %d: %s" % (a.code, a.err)]
    asked, info, count = [t.rows for t in a.tables()]
    facts = {i["field"]: i["value"] for i in info}
    bad = [] if facts["tracks.table"] == beside else ["info does not name the table: %s" % facts]
    bad += [] if int(facts.get("loss.tracks_untimed", 0)) == untimed else ["untimed: %s, should be %d" % (facts, untimed)]
    bad += [] if facts["tracks.hidden"] == "host" else ["hidden: %s" % facts["tracks.hidden"]]
    outside = sum(not 0 <= t + offset <= length for t, _ in rows)
    bad += [] if int(facts.get("tracks.outside", 0)) == outside else ["outside: %s, should be %d" % (facts, outside)]
    said = "times of the tracks of" in a.err
    bad += [] if said == ("--time" not in options) else ["which column was taken is %ssaid: %s" % ("" if said else "not ", a.err)]
    seen = 0
    for g in asked:
        at, wall = int(g["start_wall"]), int(g["wall"])
        want, known, _ = mean(rows, at, at + wall, offset, length)
        if want is None:
            continue
        seen += 1
        # Values below 0 are raised while they are stored, so that the mean is rounded down to the last decimal.
        if not -0.0101 <= float(g["value"]) - float(want) <= 0.0001:
            bad.append("%d for %d: %s, should be %s" % (at, wall, g["value"], float(want)))
    bad += [] if len(asked) == int(count[0]["count"]) and seen > 0 else ["%d waits of %s" % (len(asked), count)]
    return bad[:5]


def errors(program, scratch):
    """Tables that cannot be shown are errors that name the file and the way out."""
    text, _, length = trace(random.Random(1))
    path, beside = os.path.join(scratch, "s.txt"), os.path.join(scratch, "e.csv")
    with open(path, "w") as f:
        f.write(text)
    cases = [("ts,depth\n9000.5,1\n9001.5,2\n", [], "shift them, e.g. --offset -"), ("name,word\na,b\nc,d\n", [], "--time COLUMN"),
             ("ts,word\n0.1,b\n0.2,d\n", [], "no column of numbers"), ("ts,depth\n0.1,1\n0.2,2\n", ["--time", "dpth"], "did you mean 'depth'"),
             ("ts,depth,x\n0.1,1,a\n0.2,2,b\n", ["--time", "x"], "no row has a usable time"), ("", [], "empty")]
    for data, options, words in cases:
        with open(beside, "w") as f:
            f.write(data)
        a = program.run(["--no-index"] + options + ["-e", "metrics", "--tracks", beside, path])
        check("error: %s" % words, a.code not in (2, 5) and a.err, words not in a.err and a.err, "e.csv" not in a.err and a.err)
    with open(beside, "w") as f:
        f.write("ts,depth\n9000.5,1\n9001.5,2\n")
    told = program.run(["--no-index", "-e", "metrics", path, beside]).err.split("--offset ")[1].split(",")[0]
    a = program.run(["--no-index", "--offset", told, "-o", "tsv", "-e", "metrics depth", path, beside])
    check("the offset of the error shows the table", a.code != 0 and a.err, a.tables()[0].rows[0]["start_wall"] != "0" and a.out)
    day = datetime.datetime(2026, 3, 2, 8, 40, 13, tzinfo=datetime.timezone.utc)
    for form in (day.isoformat(), "%d" % day.timestamp(), "%d" % (day.timestamp() * 1000)):
        with open(beside, "w") as f:
            f.write("when,depth\n%s,5\n" % form)
        a = program.run(["--no-index", "-o", "tsv", "-e", "metrics depth", os.path.join(demo, "recipes.pftrace.gz"), beside])
        at = a.tables()[0].rows[0]["start_wall"] if a.code == 0 else a.err
        check("a date on a trace with a date: %s" % form, not (at.isdigit() and abs(int(at) - 10 ** 9) <= 10 ** 6) and at)


# Pairs that are compared, joined or on one axis; the others are errors.
PAIRS = {
    "scheduler": {"method", "nanoscope", "perfetto", "jfr", "perf", "stacks", "table"}, "method": {"nanoscope", "perfetto", "table"},
    "nanoscope": {"perfetto", "table"}, "perfetto": {"table", "jfr", "perf", "stacks"}, "jfr": {"perf", "stacks", "heap", "table"},
    "perf": {"stacks", "table"}, "stacks": {"table"}
}


def pairs(program, scratch):
    files = {"scheduler": "sched.txt.gz", "method": "demo.trace.gz", "nanoscope": "feed.txt.gz", "perfetto": "recipes.pftrace.gz",
             "jfr": "shop.jfr.gz", "perf": "profile.txt.gz", "stacks": "hang.log.gz", "heap": "demo.hprof.gz", "money": "money.ofx.gz",
             "code": "notes.jar"}
    paths = {k: os.path.join(scratch, v) for k, v in files.items()}
    for kind, name in files.items():
        shutil.copy(os.path.join(demo, name), paths[kind])
    paths["table"] = os.path.join(scratch, "t.csv")
    with open(paths["table"], "w") as f:
        f.write("ts,depth\n0,1\n0.1,2\n")
    for a, one in paths.items():
        bad = []
        for b, two in paths.items():
            p = program.run(["--no-index", "-o", "tsv", "-e", "info | where field = tracks.table", one, two])
            works = a == b or b in PAIRS.get(a, ()) or a in PAIRS.get(b, ())
            named = any(os.path.basename(x) in p.err for x in (one, two)) and any(w in p.err for w in ("alone", "--classes", "--threads"))
            if works and p.code not in (0, 1):
                bad.append("%s with %s: %s" % (a, b, p.err))
            if not works and (p.code != 2 or not named):
                bad.append("%s with %s: status %d, %s" % (a, b, p.code, p.err))
            if works and a != b and "table" in (a, b) and "t.csv" not in p.out:
                bad.append("%s with %s: info does not name the table" % (a, b))
        check("%s with a file of each kind" % a, *bad)


def main(build, scratch):
    global demo
    demo = os.path.join(os.environ.get("srcdir", "."), "demo")
    program = answers.Program(os.path.join(build, "icecore"))
    for seed in range(30):
        check("a table beside a trace, seed %d" % seed, *story(program, scratch, seed))
    errors(program, scratch)
    pairs(program, scratch)

    print("1..%d" % tap.count)


if __name__ == "__main__":
    main(*sys.argv[1:])
