#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""simplecheck.py BUILD SCRATCH - profiles of simpleperf against the oracle slowsimpleperf.py, as TAP."""
import collections
import glob
import gzip
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import sampled  # noqa: E402
import simplemake  # noqa: E402
import slowsimpleperf  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402
from pprofcheck import differences, facts_of, fit, stacks  # noqa: E402

SEEDS = 150
FACTS = {"lost": "loss.events", "tail": "loss.tail_bytes", "bad": "loss.bad_records", "trailing": "repair.trailing", "index": "repair.index",
         "thread": "repair.unknown_thread_records", "ids": "repair.ids", "switches": "switch_records", "open": "open_waits",
         "broken": "broken_stacks", "art": "art_frames", "miscount": "repair.sample_count"}
LOSSES = ("lost", "tail", "bad", "cut", "sections")


def shown(thread):
    """Without the names that the program gives to threads without one."""
    tid, name = thread[-2] & 0xffffffff, fit(thread[-1])
    return tid, "" if name in ("main", "all", "thread %d" % tid) else name


def ours(program, path, event):
    out = collections.Counter()
    for (thread, frames), n in stacks(program, path, event).items():
        out[shown(thread), frames] += n
    return out


def compare(program, path, p):
    code, facts = facts_of(program, path)
    bad = ["%s is %s, not %d" % (fact, facts.get(fact, 0), p.count[c]) for c, fact in FACTS.items()
           if int(facts.get(fact, 0)) != p.count[c]]
    bad += ["record %d: %s, not %d" % (f, facts.get("unread.record.%d" % f), n) for f, n in p.unread.items() if facts.get("unread.record.%d" % f) != str(n)]
    bad += ["exit status %d" % code] * (code != (3 if any(p.count[c] for c in LOSSES) else 0))
    a = program.ask(path, "events", options=("--no-index",))
    got = {r["name"]: (int(r["samples"]), int(r["weight"]), r["current"] == "true") for r in a.tables()[0].rows}
    want = {fit(name) or "samples": tuple(row[:2]) for name, row in p.events.items()}
    bad += ["events: %s, not %s" % (got, want)] * ({k: v[:2] for k, v in got.items()} != want)
    for name in p.events:
        if not name or name == ":" or not name.isprintable():
            continue
        mine = collections.Counter()
        for (event, thread, frames), (_, weight) in p.stacks.items():
            if event == name and weight:
                mine[shown(thread), tuple(map(fit, frames))] += weight
        if mine:
            bad += differences(name, mine, ours(program, path, None if got[fit(name)][2] else name))
    return bad


def check_file(program, path):
    with open(path, "rb") as f:
        data = f.read()
    try:
        p = slowsimpleperf.read(data)
    except slowsimpleperf.Refused:
        return refused(program, path)
    return compare(program, path, p)


def check_data(program, scratch, data):
    path = os.path.join(scratch, "profile.data")
    with open(path, "wb") as f:
        f.write(data)
    return check_file(program, path)


def zstd(data):
    return subprocess.run(["zstd", "-qc"], input=data, stdout=subprocess.PIPE, check=True).stdout


def check_packed(program, scratch):
    """Compressed records have the same samples."""
    path = os.path.join(scratch, "packed.data")
    with open(path, "wb") as f:
        f.write(simplemake.recording(zstd))
    return compare(program, path, slowsimpleperf.read(simplemake.recording()))


def check_kinds(program, scratch, data, want):
    path = os.path.join(scratch, "kinds.data")
    with open(path, "wb") as f:
        f.write(data)
    a = program.ask(path, "methods | select name kind", options=("--no-index",))
    got = {(r["name"], r["kind"]) for r in a.tables()[0].rows}
    return ["%s is not there: %s" % (x, got) for x in want if x not in got]


def check_mapping(program, scratch, data):
    """Names of R8 become those of the program."""
    path, names = (os.path.join(scratch, x) for x in ("mapped.data", "mapping.txt"))
    with open(path, "wb") as f:
        f.write(data)
    with open(names, "w") as f:
        f.write("com.example.shop.Cart -> a.b:\n    int total() -> a\n    void checkout() -> c\n")
    a = program.ask(path, "methods | select name", options=("--no-index", "--mapping", names))
    got = {r["name"] for r in a.tables()[0].rows}
    return ["%s is not there: %s" % (x, got) for x in ("com.example.shop.Cart.total", "com.example.shop.Cart.checkout") if x not in got]


def check_cuts(program, scratch, data):
    """Cut anywhere: each whole sample is there, and the loss is reported."""
    path, bad = os.path.join(scratch, "cut.data"), []
    with open(path, "wb") as f:
        f.write(data)
    for n, (code, why) in enumerate(program.tell_cuts(path, os.path.join(scratch, "cut"))):
        try:
            slowsimpleperf.read(data[:n])
            want = 3
        except (slowsimpleperf.Refused, *slowsimpleperf.DAMAGE):
            want = 5
        if code != want:
            bad.append("byte %d: status %d: %s, not %d" % (n, code, why, want))
    return bad


# ---- the corpus -----------------------------------------------------------------------------------


def check_expected(program, path, expected):
    with (gzip.open if expected.endswith(".gz") else open)(expected, "rt", encoding="utf-8", errors="surrogateescape") as f:
        rows = [line.split("\t") for line in f.read().split("\n")[:-1]]
    if rows[0][0] == "refused":
        return refused(program, path)
    a = program.ask(path, "events", options=("--no-index",))
    got = [(r["name"], int(r["samples"]), int(r["weight"])) for r in a.tables()[0].rows]
    bad = ["events: %s" % got] * (sorted(got) != sorted((r[1], int(r[2]), int(r[3])) for r in rows if r[0] == "event"))
    current = next(r["name"] for r in a.tables()[0].rows if r["current"] == "true")
    for name in [row[0] for row in got]:
        mine = collections.Counter()
        for r in rows:
            if r[0] == "stack" and r[1] == name:
                tid = int(r[2].split("/")[1])
                mine[shown((0, tid, r[3])), tuple(map(fit, r[4].split(";")))] += int(r[6])
        got = ours(program, path, None if name == current else name)
        bad += differences(name, mine, {(k[0], tuple(x.replace(";", ":") for x in k[1])): n for k, n in got.items()})
    return bad


def check_corpus(tap, program, folder):
    for path in sorted(glob.glob(os.path.join(folder, "data", "sp-*"))):
        expected = next((x for x in (path + ".tsv", path + ".tsv.gz") if os.path.exists(x)), None)
        if expected is not None:
            attempt(tap, "simpleperf %s: as expected" % os.path.basename(path), check_expected, program, path, expected)
            attempt(tap, "simpleperf %s: as the oracle reads it" % os.path.basename(path), check_file, program, path)


def check_other(tap, program, folder, name):
    attempt(tap, "simpleperf %s: as the oracle reads it" % name, check_file, program, os.path.join(folder, name))


def main(argv):
    build, scratch = argv[1:]
    tap, program = Tap(), answers.Program(os.path.join(build, "icecore"))
    report, recording = simplemake.report(), simplemake.recording()
    for name, data in (("report", report), ("recording", recording), ("old tables", simplemake.recording(old=True))):
        attempt(tap, "simpleperf: " + name, check_data, program, scratch, data)
    if shutil.which("zstd"):
        attempt(tap, "simpleperf: compressed records", check_packed, program, scratch)
    attempt(tap, "simpleperf: execution types of a report", check_kinds, program, scratch, report,
            (("a.b.a", "0"), ("a.b.a", "j"), ("[kernel.kallsyms]", "k"), ("art::Thread::Park()", "a"), ("__libc_init", "")))
    attempt(tap, "simpleperf: kinds of code in a recording", check_kinds, program, scratch, recording,
            (("a.b.a", "0"), ("a.b.d", "j"), ("schedule", "k")))
    for name, data in (("report", report), ("recording", recording)):
        attempt(tap, "simpleperf: a mapping of R8 for a " + name, check_mapping, program, scratch, data)
        attempt(tap, "simpleperf: %s cut anywhere" % name, check_cuts, program, scratch, data)
    for seed in sampled.seeds(SEEDS):
        attempt(tap, "simpleperf: random report %d" % seed, check_data, program, scratch, simplemake.random_report(seed))
        attempt(tap, "simpleperf: random recording %d" % seed, check_data, program, scratch, simplemake.random_recording(seed))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
