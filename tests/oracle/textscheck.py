#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""textscheck.py BUILD CORPUS - text stacks of tracers against the expected tables of a slow reader, as TAP.

textscheck.py BUILD SCRATCH made - against the stacks from which tests/mk/tracersmake.py made the texts.
"""
import collections
import gzip
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import sampled  # noqa: E402
import tracersmake  # noqa: E402
from check import Tap, attempt  # noqa: E402
from dumpscheck import sections  # noqa: E402

SEEDS = 40


def stacks(program, path, event):
    """The values by stack, below the name of its thread if it has one."""
    a = program.ask(path, "threads | select id tid pid name", "calls | select id parent thread_id method self",
                    options=("--no-index",) + (("--event", event) if event else ()))
    if a.code not in (0, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    threads, calls = a.tables()
    thread = {r["id"]: () if r["name"] == "all" and r["tid"] == r["pid"] == "0" else (r["name"],) for r in threads.rows}
    path_of, out = {}, collections.Counter()
    for r in calls.rows:
        path_of[r["id"]] = (path_of[r["parent"]] if r["parent"] != "0" else thread[r["thread_id"]]) + (r["method"],)
        if int(r["self"]):
            out[";".join(x.replace(";", ":") for x in path_of[r["id"]])] += int(r["self"])
    return out


def wanted(rows, kind, unit):
    """By track: values by stack.  The icicle has only values above 0, and names without places.  Times are ns."""
    out = {}
    for r in rows:
        stack = answers.fit(r["stack"])
        if kind == "heapprofile":
            stack = ";".join(f.rpartition(" ")[0] or f if ":" in f.rpartition(" ")[2] else f for f in stack.split(";"))
        stack = stack.replace("[1 places below", "[1 place below")
        if int(r["value"]) > 0:
            out.setdefault(r["track"], collections.Counter())[stack.replace("_[k]", "")] += int(r["value"]) * (1000 if unit == "us" else 1)
    return out


def differences(what, want, got):
    want, got = answers.demangled(want), answers.demangled(got)
    return ["%s: %s: %s, not %s" % (what, k, got.get(k), want.get(k)) for k in list(want) + list(got) if want.get(k) != got.get(k)][:4]


def check_file(program, path, want):
    kind = want["info"][0]["kind"]
    tracks = wanted(want["folded"], kind, want["info"][0]["unit"])
    a = program.ask(path, "events | select name current unit", options=("--no-index",))
    if a.code not in (0, 3):
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    events = a.tables()[0].rows
    # The slow reader has no histograms without stacks.
    events = events if len(events) == len(tracks) else [e for e in events if e["unit"] != "values"]
    if len(events) != len(tracks):
        return ["%d events, not %s" % (len(events), list(tracks))]
    bad = []
    for event, (track, values) in zip(events, tracks.items()):
        bad += differences(track, values, answers.as_counts(values, stacks(program, path, event["name"])))
    return bad


def check_graph(program, path, want):
    """Functions and arcs of a call graph: all values of the slow reader."""
    a = program.ask(path, "methods | select name file object self total calls cycle", "arcs | select caller callee calls cost", "info", options=("--no-index",))
    if a.code != 0:
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    methods, arcs, info = (t.rows for t in a.tables())
    facts, told, event = {r["field"]: r["value"] for r in info}, want["info"][0], want["info"][0]["events"].split()[0]
    got = [(r["name"], r["file"] or "-", r["object"].rpartition("/")[2] or "-", r["self"], r["total"], r["calls"], "cycle" if r["cycle"] else "-") for r in methods]
    bad = differences("methods", collections.Counter((r["function"], r["file"], r["object"], r["self_" + event], r["incl_" + event], r["calls"], r["cycle"])
                                                     for r in want["methods"]), collections.Counter(got))
    bad += differences("arcs", collections.Counter((r["from"], r["to"], r["calls"], r["incl_" + event]) for r in want["calls"]),
                       collections.Counter((r["caller"], r["callee"], r["calls"], r["cost"]) for r in arcs))
    for what, field in (("functions", "functions"), ("edges", "arcs"), ("in_cycles", "cycle_functions")):
        if facts[field] != told[what]:
            bad.append("%s: %s, not %s" % (field, facts[field], told[what]))
    return bad + ["sum of self: %d" % sum(int(r["self"]) for r in methods)] * (str(sum(int(r["self"]) for r in methods)) != told["self_sum"])


def check_corpus(tap, program, corpus):
    for path, want in pictures(corpus):
        attempt(tap, "profiles/more/%s" % os.path.basename(path), check_picture, program, path, want)
    folder = os.path.join(corpus, "stacks")
    for name in sorted(os.listdir(os.path.join(folder, "expected"))) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, "expected", name), encoding="utf-8", newline="\n") as f:
            want = sections(f.read())
        for part in ("text", "edges-text"):
            path = os.path.join(folder, "data", part, name[:-len(".tsv")])
            if os.path.exists(path) and "folded" in want:
                attempt(tap, "stacks/%s/%s" % (part, name[:-len(".tsv")]), check_file, program, path, want)
            elif os.path.exists(path) and want["info"][0].get("kind") == "callgrind":
                attempt(tap, "stacks/%s/%s" % (part, name[:-len(".tsv")]), check_graph, program, path, want)


def check_picture(program, path, want):
    """A flame graph as a picture: the stacks of the slow reader; None: it is to be refused."""
    if want is None:
        code = program.ask(path, "info", options=("--no-index",)).code
        return ["exit status %d, not 5" % code] * (code != 5)
    bad = []
    for event, values in want.items():
        got = answers.as_counts(values, stacks(program, path, event if len(want) > 1 else None))
        bad += differences(event, values, got)
    return bad


def pictures(corpus):
    """Pictures of flame graphs: path and stacks by event, or None."""
    folder = os.path.join(corpus, "profiles", "more", "data")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        # The table of a reversed page has the stacks as they are drawn.
        if not name.startswith(("svg-", "ap", "d3", "flamebearer")) or not name.endswith((".svg", ".html", ".json")) or name == "ap3.0-reverse.html":
            continue
        path = os.path.join(folder, name + ".tsv")
        with (open if os.path.exists(path) else gzip.open)(path if os.path.exists(path) else path + ".gz", "rt", encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("\t") for line in f]
        out = collections.OrderedDict()
        for row in rows:
            if row[0] == "stack":
                scale = {"ms": 10 ** 6}.get(next(r[4] for r in rows if r[0] == "event" and r[1] == row[1]), 1)
                stack = "[no stack]" if row[4] == "[all]" or row[4] == "[total]" else ";".join(x or "[unnamed]" for x in row[4].split(";"))
                # A thread that async-profiler writes as a frame is the thread of the stack.
                stack = re.sub(r"^\[([^;]*) tid=\d+\](?=;|$)", r"\1", stack)
                out.setdefault(row[1], collections.Counter())[answers.fit(stack)] += int(float(row[6]) * scale)
        yield os.path.join(folder, name), None if any(r[0] == "refused" for r in rows) else out


def check_made(program, path, form):
    """All stacks that were written are read; the first event is the default, or the peak."""
    bad = []
    for seed in sampled.seeds(SEEDS):
        text, want = tracersmake.make(form, seed)
        with open(path, "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
        a = program.ask(path, "events | select name current", options=("--no-index",))
        if a.code != 0:
            return ["seed %d: exit status %d: %s" % (seed, a.code, a.err.strip())]
        events = [(r["name"], r["current"] == "true") for r in a.tables()[0].rows]
        if events != [(name, n == 0) for n, name in enumerate(want)]:
            bad.append("seed %d: events %s, not %s" % (seed, events, list(want)))
        for event, rows in want.items():
            lines = collections.Counter()
            for (thread, frames), value in rows.items():
                lines[";".join((thread,) * (thread != "") + frames)] += value
            bad += differences("seed %d, %s" % (seed, event), lines, stacks(program, path, event))
        if bad:
            break
    return bad


def check_times(program, path):
    """Samples of xctrace in time ranges and states."""
    bad = []
    for seed in sampled.seeds(SEEDS):
        r = random.Random("times %d" % seed)
        text, rows = tracersmake.xctrace_rows(r)
        with open(path, "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
        first, last = min(x[3] for x in rows), max(x[3] for x in rows)
        a, b = sorted(r.randint(0, last - first) for _ in range(2))
        state = r.choice(sorted({x[4] for x in rows if x[4]}) or [""])
        answers_of = [("calls | range %dns %dns" % (a, b), sum(x[2] for x in rows if a <= x[3] - first <= b))] * (a < b)
        answers_of += [("calls | state %s" % state, sum(x[2] for x in rows if x[4] == state))] * (state != "")
        for query, want in answers_of:
            got = program.ask(path, query + " | where depth = 0 | sum total", options=("--no-index",))
            if got.code not in (0, 1) or int(got.tables()[0].rows[0]["sum_total"] or 0) != want:
                bad.append("seed %d: %s: %s, not %d" % (seed, query, got.out.split() or got.err, want))
        facts = {x["field"]: x["value"] for x in program.ask(path, "info", options=("--no-index",)).tables()[0].rows}
        if facts.get("elapsed", "0") != str(last - first):
            bad.append("seed %d: elapsed %s, not %d" % (seed, facts.get("elapsed"), last - first))
    return bad[:8]


def main(argv):
    program, tap = answers.program_of(argv[1]), Tap()
    if argv[3:] == ["made"]:
        for form in tracersmake.FORMS:
            attempt(tap, form.__name__ + " with random stacks", check_made, program, os.path.join(argv[2], "made." + form.__name__), form)
        attempt(tap, "xctrace: times and states", check_times, program, os.path.join(argv[2], "made.times"))
    else:
        check_corpus(tap, program, argv[2])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
