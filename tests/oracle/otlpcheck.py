#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""otlpcheck.py BUILD SCRATCH [CORPUS] - profiles of OpenTelemetry against their stories (tests/mk/otlpmake.py), as TAP."""
import collections
import glob
import gzip
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import otlpmake  # noqa: E402
import pprofcheck  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 40


def written(scratch, name, data):
    path = os.path.join(scratch, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def shown(rows):
    out = collections.Counter()
    for (thread, path), n in rows.items():
        out[pprofcheck.shown(thread), tuple(answers.fit(f) for f in path)] += n
    return out


def check_story(program, path, story, times=1):
    want = collections.Counter({k: n * times for k, n in story.rows().items()})
    bad = pprofcheck.differences("stacks", shown(want), pprofcheck.stacks(program, path, None))
    a = program.ask(path, "labels | select labels total", options=("--no-index",))
    got = collections.Counter({r["labels"]: int(r["total"]) for r in a.tables()[0].rows})
    mine = collections.Counter()
    for text, n in got.items():
        mine[", ".join(sorted(text.split(", ")))] += n
    want = collections.Counter({answers.fit(k): n * times for k, n in story.labels().items()})
    bad += ["labels: %s, not %s" % (mine, want)] * (mine != want)
    if story.counted():
        told, is_so = int(program.ask(path, "events", options=("--no-index",)).tables()[0].rows[0]["samples"]), sum(want.values()) // story.each()
        bad += ["%d samples, not %d" % (told, is_so)] * (told != is_so)
    return bad


def check_cuts(program, scratch, story):
    """A file that ends anywhere is refused, or has all of its whole objects."""
    bad, one = [], story.encode("1.10")
    data = otlpmake.sized([one, one])
    for n in range(len(data)):
        path = written(scratch, "cut.otlp", data[:n])
        a = program.ask(path, "info", options=("--no-index",))
        want = {5} if n < len(one) + 4 else {0} if n == len(one) + 4 else {3}
        if a.code not in want:
            bad.append("cut at %d: exit status %d" % (n, a.code))
    for n in range(0, len(one), 7):
        path = written(scratch, "cut.pb", one[:n])
        bad += refused(program, path)
    return bad[:4]


# ---- files with expected tables ----------------------------------------------------------------

def rows_of(path):
    path = path + ".tsv.gz" if os.path.exists(path + ".tsv.gz") else path + ".tsv"
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="") as f:
        return [line.rstrip("\n").split("\t") for line in f]


def event_of(name, events):
    """A second type with the same name has its unit as well; a time that is the count again is not shown."""
    base, _, unit = name.partition(" ")
    return None if unit == "nanoseconds" else base if base in events else None


def check_expected(program, path):
    rows = rows_of(path)
    if rows[0][0] == "refused":
        return refused(program, path)
    a = program.ask(path, "events", options=("--no-index",))
    events = {r["name"]: r for r in a.tables()[0].rows}
    # Samples that are counted each period are times.
    counts = {r[1] for r in rows if r[0] == "event" and r[4] == "count"}
    period = next((int(r[r.index("period") + 1]) for r in rows if r[:2] == ["info", "profile"] and r[-1].endswith(("/ns", "/nanoseconds"))), 1)
    bad = []
    for name in events:
        want = collections.Counter()
        for r in rows:
            if r[0] == "stack" and event_of(r[1], events) == name:
                tid = int(r[2].split("/")[1])
                stack = r[4].replace("[no stack]", "").split(";")
                want[pprofcheck.shown((tid, r[3])), "\0".join(map(answers.java, stack))] += int(r[6]) * (max(period, 1) if r[1] in counts else 1)
        got = collections.Counter()
        for (thread, stack), n in pprofcheck.stacks(program, path, name).items():
            got[thread, "\0".join(f.replace(";", ":") for f in stack)] += n
        bad += pprofcheck.differences(name, want, got) if +want else ["event %s is not expected" % name]
    return bad


def main():
    program, scratch = answers.Program(os.path.join(sys.argv[1], "icecore")), sys.argv[2]
    tap = Tap()
    for layout in otlpmake.LAYOUTS:
        for seed in sampled.seeds(SEEDS):
            story = otlpmake.Story("%s %d" % (layout, seed))
            bad = check_story(program, written(scratch, "a.otlp", story.encode(layout)), story)
            if bad:
                break
        tap.ok("layout %s: stacks, threads and labels as in the story (seed %d)" % (layout, seed), bad)
    story = otlpmake.Story("forms")
    attempt(tap, "JSON", check_story, program, written(scratch, "a.json", story.json()), story)
    named = otlpmake.Story("names")
    named.attributes = [("thread.name", "[w %d tid=%d]" % (v % 2, v)) if key == "thread.id" else ("thread.name", "w") if key == "thread.name" else (key, v) for key, v in named.attributes]
    attempt(tap, "names of threads have their ids", check_story, program, written(scratch, "a.otlp", named.encode("1.10")), named)
    attempt(tap, "lines of JSON", check_story, program, written(scratch, "a.jsonl", (story.json() + b"\n") * 2), story, 2)
    attempt(tap, "objects behind their sizes", check_story, program, written(scratch, "a.bin", otlpmake.sized([story.encode("1.10")] * 3)), story, 3)
    attempt(tap, "cut anywhere", check_cuts, program, scratch, story)
    for path in sorted(glob.glob(os.path.join(os.environ.get("CORPUS", "/nowhere"), "profiles/2026/data/otlp*"))):
        if not path.endswith((".tsv", ".tsv.gz")):
            attempt(tap, "corpus: " + os.path.basename(path), check_expected, program, path)
    tap.end()


if __name__ == "__main__":
    main()
