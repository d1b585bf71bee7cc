#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""geckocheck.py BUILD SCRATCH - profiles of Firefox and samply against the oracle slowgecko.py, as TAP; for corpus.py as well."""
import glob
import gzip
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import gecko  # noqa: E402
import made  # noqa: E402
import sampled  # noqa: E402
import slowgecko  # noqa: E402
from check import Tap, attempt, refused  # noqa: E402

SEEDS = 60
OPTIONS = ("--no-index", "--no-symbols")        # answers must not depend on the libraries of this machine
FACTS = {"no_stack": "no_stack", "repair.stack": "stack", "repair.marker_end": "ends", "repair.marker_open": "open",
         "repair.below_zero_weights": "negative", "loss.threads": "dropped", "repair.bad_entries": "bad"}


def tables(program, path, *queries):
    a = program.ask(path, *queries, options=OPTIONS)
    if a.code not in (0, 1, 3) or not a.out:
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    return a.tables()


def folded(program, path, thread, event):
    out = {}
    for line in program.run([*OPTIONS, "-o", "folded", "--event", event, "-e", "merged @%d" % thread, path]).out.split("\n")[:-1]:
        stack, _, n = line.rpartition(" ")
        stack = answers.unescape(stack.partition(";")[2])
        out[stack] = out.get(stack, 0) + float(n)
    return out


def plain(text):
    """As it is printed: what would leave its line is shown otherwise."""
    return text.replace("\n", "\ufffd")


def differ(what, got, want):
    return ["%s: %r, not %r" % (what, g, w) for g, w in zip(got, want) if g != w][:3] + \
        (["%s: %d rows, not %d" % (what, len(got), len(want))] if len(got) != len(want) else [])


def check_places(program, path, p):
    """Where functions begin; of two alike in all else one."""
    rows, = tables(program, path, "methods | select name file line")
    return ["%s is not in the file" % (row,) for row in ((r["name"].removesuffix("_[i]"), r["file"], r["line"]) for r in rows.rows)
            if (row[1] or row[2]) and row not in p.places][:3]


def check_stacks(program, path, p, events):
    bad = []
    for thread, event in p.folded:
        want = {}
        for stack, weight in p.folded[thread, event].items():
            if weight:
                want[plain(stack)] = want.get(plain(stack), 0) + weight
        if event in events:
            got = {k: v for k, v in folded(program, path, thread, event).items() if v}
            bad += ["thread %d, %s: %r is %s, not %s" % (thread, event, k, got.get(k), want.get(k))
                    for k in sorted(set(got) | set(want)) if abs(got.get(k, 0) - want.get(k, 0)) > 1e-6 * p.period][:3]
        elif want:
            bad.append("no event %s" % event)
    return bad


def check_marks(program, path, p):
    spans, marks = tables(program, path, "async_spans | select thread_id name cat detail start_wall wall open", "marks | select thread_id time name cat detail")
    got = sorted((int(r["thread_id"]), int(r["start_wall"]), int(r["wall"]), r["name"], r["cat"], r["detail"], r["open"] == "true") for r in spans.rows)
    want = sorted((s[5], s[0] - p.first, s[1] - s[0], plain(s[2]), s[3], plain(s[4]), s[6]) for s in p.spans)
    bad = differ("spans", got, want)
    got = sorted((int(r["thread_id"]), int(r["time"]), r["name"], r["cat"], r["detail"]) for r in marks.rows)
    return bad + differ("marks", got, sorted((m[4], m[0] - p.first, plain(m[1]), m[2], plain(m[3])) for m in p.instants))


def check_counters(program, path, p):
    rows, = tables(program, path, "counters | select counter key pid points min max last")
    got = [(r["counter"], r["key"], r["pid"], int(r["points"])) + tuple("%.9g" % float(r[k]) for k in ("min", "max", "last")) for r in rows.rows]
    want = [(n, k, pid, len(v)) + tuple("%.9g" % x for x in (min(y for _, y in v), max(y for _, y in v), v[-1][1])) for n, k, pid, v in p.counters]
    return differ("counters", got, want)


def check_tracks(program, path, p):
    """CPU time of threads, from the first sample with it."""
    rows, = tables(program, path, "tracks | where kind = cpu | select thread_id growth")
    want = {}
    for t in p.threads:
        used = [n for _, n in t.cpu]
        if used:
            want[t.number] = sum(used[1:])
    got = {int(r["thread_id"]): int(r["growth"] or 0) for r in rows.rows}
    return ["CPU time of thread %d: %s, not %s" % (k, got.get(k), want.get(k)) for k in sorted(set(got) | set(want)) if got.get(k, 0) != want.get(k, 0)]


def check(program, path, data):
    p = slowgecko.Profile(data)
    info, = tables(program, path, "info")
    facts = {r["field"]: r["value"] for r in info.rows}
    bad = ["%s is %s, not %d" % (k, facts.get(k, 0), p.facts[v]) for k, v in FACTS.items() if int(facts.get(k, 0)) != p.facts[v]]
    if p.facts["index"] == 0 and "repair.index" in facts:
        bad.append("repair.index is %s" % facts["repair.index"])
    if any(p.folded.values()):
        threads, events = tables(program, path, "threads | select name pid tid process", "events")
        bad += differ("threads", [(r["name"], int(r["pid"] or 0), int(r["tid"] or 0)) for r in threads.rows],
                      [(plain(t.name) or "thread %d" % t.tid, t.pid, t.tid) for t in p.threads])
        bad += check_stacks(program, path, p, {r["name"] for r in events.rows})
        bad += check_places(program, path, p)
        cats, = tables(program, path, "categories")
        got = {(int(r["thread_id"]), r["category"], r["subcategory"]): (int(r["samples"]), int(r["cpu"] or 0)) for r in cats.rows}
        bad += ["category %s: %s, not %s" % (k, got.get(k), p.categories.get(k)) for k in sorted(set(got) | set(p.categories)) if got.get(k) != p.categories.get(k)]
    return bad + check_marks(program, path, p) + check_counters(program, path, p) + check_tracks(program, path, p)


def make(what, path):
    data = made.output("gecko.py", what)
    with open(path, "wb") as f:
        f.write(data)
    return data


def check_made(program, what, path):
    return check(program, path, make(what, path))


def check_nested(program, path):
    make("edge=nested", path)
    info, = tables(program, path, "info | where field = samples")
    return differ("samples", [r["value"] for r in info.rows], ["2"])


def check_bad(program, name, path):
    make("edge=" + name, path)
    a = program.ask(path, "info", options=OPTIONS)
    return [] if a.code == 5 and gecko.BAD[name][1] in a.err else ["status %d: %r" % (a.code, a.err)]


def check_cuts(program, what, path):
    """Cut at every byte: an answer, or one line that says why not."""
    data, bad = make(what, path), []
    told = program.tell_cuts(path, path + ".cut")
    for n, (code, why) in enumerate(told[:-1]):
        if code not in (0, 3, 5) or (code != 0 and why == "") or (code == 0 and data[n:].strip() not in (b"", b"}")):
            bad.append("byte %d: status %d: %r" % (n, code, why))
    return bad + ([] if len(told) == len(data) + 1 else ["%d lengths reported, not %d" % (len(told), len(data) + 1)]) + \
        ([] if told[-1][0] == 0 else ["whole: status %d: %r" % told[-1]])


# ---- real files, whose answers are known --------------------------------------------------------------

def expected_stacks(path):
    out = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            thread, stack, n, _, cpu = line.rstrip("\n").split("\t")
            out[int(thread) + 1, "samples", stack] = int(n)
            if int(cpu):
                out[int(thread) + 1, "cpu", stack] = int(cpu)
    return out


def check_expected(program, path, folder):
    name = os.path.join(folder, "expected", os.path.basename(path))
    want = expected_stacks(name + ".folded.tsv")
    got = {}
    for thread, event in {k[:2] for k in want}:
        mine = {(thread, event, k): int(v) for k, v in folded(program, path, thread, event).items()}
        got.update(answers.as_counts({k: v for k, v in want.items() if k[:2] == (thread, event)}, mine))
    bad = ["%s: %s, not %s" % (k, got.get(k), want.get(k)) for k in sorted(set(got) | set(want)) if got.get(k) != want.get(k)][:5]
    with open(name + ".facts.tsv", encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    threads, spans, marks, counters, info = tables(program, path, "threads", "async_spans | select name thread_id wall", "marks", "counters", "info")
    bad += differ("threads", [(r["name"], r["samples"]) for r in threads.rows],
                  [(r[2], dict(x.split("=", 1) for x in r[3:])["with_stack"]) for r in rows if r[0] == "thread"])
    seen = {}
    for r in marks.rows:
        seen[r["thread_id"], r["name"]] = seen.get((r["thread_id"], r["name"]), 0) + 1
    for r in spans.rows:
        seen[r["thread_id"], r["name"]] = seen.get((r["thread_id"], r["name"]), 0) + 1
    told = {}
    for r in rows:
        if r[0] == "marker" and r[3] != "end":
            told[str(int(r[1]) + 1), r[2]] = told.get((str(int(r[1]) + 1), r[2]), 0) + int(r[4])
    bad += ["marker %s: %s, not %s" % (k, seen.get(k), told.get(k)) for k in sorted(set(seen) | set(told)) if seen.get(k) != told.get(k)]
    bad += differ("counters", [(r["counter"], r["points"], str(int(float(r["last"])))) for r in counters.rows if r["key"] == "count"],
                  [(r[1], r[4].split("=")[1], r[5].split("=")[1]) for r in rows if r[0] == "counter"])
    facts = {r["field"]: r["value"] for r in info.rows}
    for fact, field in (("product", "product"), ("interval_ns", "interval"), ("processes", "processes")):
        value = next(r[1] for r in rows if r[0] == fact)
        bad += [] if facts.get(field) == value else ["%s is %s, not %s" % (field, facts.get(field), value)]
    return bad


def check_corpus(tap, program, root):
    folder = os.path.join(root, "profiles", "firefox")
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.json*"))):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            data = f.read()
        attempt(tap, "firefox: " + os.path.basename(path), check, program, path, data)
        attempt(tap, "firefox: " + os.path.basename(path) + ": expected answers", check_expected, program, path, folder)


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    path = os.path.join(scratch, "made.json")
    attempt(tap, "profile of Firefox: two processes", check_made, program, "demo", path)
    sampled.tell()
    for seed in sampled.turns(range(SEEDS)):
        attempt(tap, "profile of Firefox %d" % seed, check_made, program, "seed=%d" % seed, path)
    for name in [*gecko.EDGES, "double_keys"]:
        attempt(tap, "profile of Firefox: " + name, check_made, program, "edge=" + name, path)
    attempt(tap, "profile of Firefox: objects in objects", check_nested, program, path)
    for name in gecko.BAD:
        attempt(tap, "profile of Firefox: " + name + " is refused", check_bad, program, name, path)
    for what in ("demo", "seed=6", "seed=35", "seed=42", "edge=markers_open"):
        attempt(tap, "profile of Firefox, %s: cut at every byte" % what, check_cuts, program, what, path)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
